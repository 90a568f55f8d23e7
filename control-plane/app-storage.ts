import type { Job, Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import { acceptJob } from './operations/jobs/store.ts'
import type { ControlPlaneOptions } from './options.ts'
import { storageJobRoutes } from './storage/storage/job-routes.ts'
import { storageJobStore } from './storage/storage/jobs-store.ts'
import { createStorageJobs } from './storage/storage/jobs.ts'
import { createRounds } from './storage/storage/rounds.ts'
import { storageRoutes } from './storage/storage/routes.ts'
import { storageStore } from './storage/storage/store.ts'
import { storageUseRoutes } from './storage/storage/use-routes.ts'
import { storageUseStore } from './storage/storage/use-store.ts'
import { createTrashRounds } from './storage/storage/trash-rounds.ts'

type Parts = {
  db: Db
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  options: Pick<ControlPlaneOptions, 'dataPlaneUrl' | 'internalToken' | 'mode' | 'now'>
  log: Log
}

/** What projects store, and the jobs that change much of it. */
export function assembleStorage({ db, record, startJob, options, log }: Parts) {
  const { dataPlaneUrl, internalToken } = options
  const rounds = createRounds({ dataPlaneUrl, internalToken, log })
  const jobs = createStorageJobs({
    store: storageJobStore(db),
    record,
    acceptJob,
    startJob,
    rounds,
  })
  const store = storageStore(db)
  return {
    workflows: jobs.workflows,
    unnamed: rounds.unnamed,
    /** From now on, what is over in trashes goes. */
    watchTrash(every: Jobs['every']): void {
      const round = createTrashRounds({ store, purge: rounds.purge, now: options.now, log })
      every(60, 'trash of storage', round)
    },
    routes: [
      ...storageRoutes({ store, record, dataPlaneUrl, internalToken }),
      ...storageJobRoutes(jobs),
      ...storageUseRoutes({
        store: storageUseStore(db),
        hasPlans: options.mode !== 'self-hosted',
      }),
    ],
  }
}
