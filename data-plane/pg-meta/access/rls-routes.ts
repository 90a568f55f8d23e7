import { rlsTest } from '#contract/database/rls-test'
import type { EntityOf } from '../tables/known-entities.ts'
import { refuseImpersonation } from './impersonation.ts'
import { testRls } from './rls-test.ts'
import { handle, type MetaRoute, type UseSession } from '../routes.ts'

/** `own`: a session that is cleaned afterwards, and with it what is prepared in the others; the table is looked up there. */
export const rlsRoutes = (read: UseSession, own: UseSession, entityOf: EntityOf): MetaRoute[] => [
  handle(rlsTest.run, async (input, { who }) => {
    refuseImpersonation(who)
    const entity = await read(who, (db) => entityOf(db, who, input.id))
    return own(who, (db) => testRls(db, entity, input, who))
  }),
]
