import { dataPlaneApi } from '#contract/data-plane-api'
import type { StorageRound, StorageRoundDone as Done } from '#contract/storage/storage-jobs'
import type { DataPlane } from '../../data-plane/client.ts'
import { actingAs } from './acting-as.ts'

export type Rounds = {
  /** `by` is the mail address of who has begun the job. */
  run(round: StorageRound, by: string): Promise<Done>
  /** @throws ApiError when there is no such bucket, or nobody can say */
  checkBucket(ref: string, bucket: string): Promise<void>
  /** How much of the trash was over and is gone. @throws ApiError */
  purge(ref: string): Promise<number>
  /** How many stored files no row of the project's database names; `remove`: they are gone. @throws ApiError */
  unnamed(ref: string, remove: boolean): Promise<number>
}

/** Asks the data plane for a part of a job. What it refuses is thrown in its own words. */
export const createRounds = ({ ask }: Pick<DataPlane, 'ask'>): Rounds => ({
  run: (round, by) => ask(dataPlaneApi.storageRound, { body: round, headers: actingAs(by) }),
  async checkBucket(ref, bucket) {
    await ask(dataPlaneApi.bucket, { params: { ref, bucket } })
  },
  unnamed: async (ref, remove) =>
    (await ask(dataPlaneApi.unnamedFiles, { body: { ref, remove } })).found,
  purge: async (ref) => (await ask(dataPlaneApi.purgeTrash, { body: { ref } })).purged,
})
