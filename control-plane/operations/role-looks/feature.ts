import type { Db } from '../../platform-database/database.ts'
import { roleLookStore, type RoleLookStore } from './store.ts'
import { roleLooks as api } from '#contract/operations/role-looks'
import { implementOpen } from '#kit/http'

/** What was found of roles in the databases of projects whenever a server was started. */
export function roleLooksFeature(db: Db) {
  const looks = roleLookStore(db)
  return { routes: roleLookRoutes(looks), keep: looks.keep }
}

const roleLookRoutes = (store: RoleLookStore) => [
  implementOpen(api.list, async () => {
    const all = await store.list()
    const reported = all.filter(({ findings, failure }) => findings.length > 0 || failure !== null)
    return {
      projects: all.length,
      looks: reported.map(({ looked_at, ...look }) => ({
        ...look,
        looked_at: looked_at.toISOString(),
      })),
    }
  }),
]
