import type { Platform } from '../../platform.ts'
import { storageJobRoutes } from './job-routes.ts'
import { storageJobStore } from './jobs-store.ts'
import { createStorageJobs } from './jobs.ts'
import { createRounds } from './rounds.ts'
import { storageRoutes } from './routes.ts'
import { storageStore } from './store.ts'
import { createTrashRounds } from './trash-rounds.ts'
import { storageUseRoutes } from './use-routes.ts'
import { storageUseStore } from './use-store.ts'

/** What projects store, and the jobs that change much of it. */
export function storageFeature(platform: Platform) {
  const { db, record, jobs, dataPlane, mode, now, log } = platform
  const rounds = createRounds(dataPlane)
  const storageJobs = createStorageJobs({
    store: storageJobStore(db),
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    rounds,
  })
  const store = storageStore(db)
  return {
    workflows: storageJobs.workflows,
    unnamed: rounds.unnamed,
    rounds: [
      {
        seconds: 60,
        name: 'trash of storage',
        run: createTrashRounds({ store, purge: rounds.purge, now, log }),
      },
    ],
    routes: [
      ...storageRoutes({ store, record, dataPlane }),
      ...storageJobRoutes(storageJobs),
      ...storageUseRoutes({ store: storageUseStore(db), hasPlans: mode !== 'self-hosted' }),
    ],
  }
}
