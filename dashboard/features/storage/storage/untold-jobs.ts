import type { StorageJob } from '#contract/storage/storage-jobs'
import { forgetJobs } from './queries.ts'

/**
 * Ids of jobs whose end is still to be told: those that were seen running, and those that were begun here, which may end
 * before anybody looks.
 */
export const untold = new Set<string>()

export async function begun({ id }: StorageJob): Promise<void> {
  untold.add(id)
  await forgetJobs()
}
