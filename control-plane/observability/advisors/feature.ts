import type { Platform } from '../../platform.ts'
import { createAdvisors } from './advisors.ts'
import { advisorRoutes } from './routes.ts'
import { advisorStore } from './store.ts'

type Needs = Pick<Parameters<typeof createAdvisors>[0], 'readLints'>

/** What is found to be wrong with projects. */
export const advisorsFeature = ({ db, record, mode }: Platform, { readLints }: Needs) => ({
  routes: advisorRoutes(
    createAdvisors({
      store: advisorStore(db),
      record,
      readLints,
      hasMembers: mode !== 'self-hosted',
    }),
  ),
})
