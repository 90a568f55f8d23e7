import { internal } from '#contract/internal-api'
import { storageJobs as api } from '#contract/storage/storage-jobs'
import { implement, implementOpen } from '#kit/http'
import type { StorageJobs } from './jobs.ts'

export const storageJobRoutes = (jobs: StorageJobs) => [
  implement(api.jobs, ({ ref }) => jobs.list(ref)),
  implement(api.startJob, ({ ref, ...wanted }, caller, origin) =>
    jobs.start({ caller, ref, origin }, wanted),
  ),
  implementOpen(internal.emptyBucket, ({ ref, bucket }) => jobs.empty(ref, bucket)),
  implement(api.cancelJob, ({ ref, id }, caller, origin) =>
    jobs.cancel({ caller, ref, origin }, id),
  ),
]
