import { z } from 'zod'
import { errors, type ErrorCode } from '#contract/errors'
import {
  StoragePurged,
  StorageUnnamedFound,
  StorageRoundDone,
  type StorageRound,
  type StorageRoundDone as Done,
} from '#contract/storage/storage-jobs'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import { actingAs } from './acting-as.ts'

/** Much longer than a round takes, copies of large objects included. */
const longestWaitMs = 10 * 60_000
const Refusal = z.object({ code: z.string(), message: z.string() })
const isCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

type Address = { dataPlaneUrl: string; internalToken: string; log: Log }
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
export function createRounds({ dataPlaneUrl, internalToken, log }: Address): Rounds {
  async function ask(path: string, ref: string, body?: object, by?: string): Promise<unknown> {
    const response = await fetch(`${dataPlaneUrl}/internal/storage/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${internalToken}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(by !== undefined && actingAs(by)),
      },
      signal: AbortSignal.timeout(longestWaitMs),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      log.warn({ err: error, project: ref }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer
    const { code, message } = Refusal.parse(answer)
    throw new ApiError(isCode(code) ? code : 'internal', message)
  }
  return {
    run: async (round, by) => StorageRoundDone.parse(await ask('rounds', round.ref, round, by)),
    async checkBucket(ref, bucket) {
      await ask(`${ref}/buckets/${encodeURIComponent(bucket)}`, ref)
    },
    unnamed: async (ref, remove) =>
      StorageUnnamedFound.parse(await ask('unnamed', ref, { ref, remove })).found,
    purge: async (ref) => StoragePurged.parse(await ask('purges', ref, { ref })).purged,
  }
}
