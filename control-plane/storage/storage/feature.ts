import type { Platform } from '../../platform.ts'
import { storageJobStore } from './jobs-store.ts'
import { createStorageJobs, type StorageJobs } from './jobs.ts'
import { createRounds } from './rounds.ts'
import { storageRoutes } from './routes.ts'
import { storageStore } from './store.ts'
import { createTrashRounds } from './trash-rounds.ts'
import { storageUseRoutes } from './use-routes.ts'
import { storageUseStore } from './use-store.ts'
import { internal } from '#contract/internal-api'
import { storageJobs as api } from '#contract/storage/storage-jobs'
import { implement, implementOpen } from '#kit/http'

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

const storageJobRoutes = (jobs: StorageJobs) => [
  implement(api.jobs, ({ ref }) => jobs.list(ref)),
  implement(api.startJob, ({ ref, ...requested }, caller, origin) =>
    jobs.start({ caller, ref, origin }, requested),
  ),
  implementOpen(internal.emptyBucket, ({ ref, bucket }) => jobs.empty(ref, bucket)),
  implement(api.cancelJob, ({ ref, id }, caller, origin) =>
    jobs.cancel({ caller, ref, origin }, id),
  ),
]
