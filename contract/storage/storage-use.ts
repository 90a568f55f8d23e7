import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { planLimits } from '../limits.ts'
import { inProject } from '../permissions.ts'
import type { PlanId } from '../billing/plans.ts'
import { ProjectRef } from '../values.ts'

const amount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** What a project's storage gave away on one day (UTC) since it was told the last time: bytes, or images of one origin. */
export const StorageUse = z.object({
  ref: ProjectRef,
  day: z.iso.date(),
  /** Bytes that were written to clients: downloads of every kind, and rendered images. */
  egress: amount,
  /** The id of an object that was rendered as an image. Told again it counts once for the month. */
  origin: z.uuid().optional(),
})
export type StorageUse = z.infer<typeof StorageUse>

/** Null: there is no bound. */
const Included = z.object({
  stored_bytes: z.number().nullable(),
  egress_bytes: z.number().nullable(),
  rendered_images: z.number().nullable(),
})
export type StorageIncluded = z.infer<typeof Included>

const gb = 1024 ** 3
const bytesOf = (included: number | null) => (included === null ? null : included * gb)

/** What a plan includes, for all projects of an organization together. */
export const includedStorage = (plan: PlanId): StorageIncluded => ({
  stored_bytes: bytesOf(planLimits[plan].storageGb.included),
  egress_bytes: bytesOf(planLimits[plan].egressGb.included),
  rendered_images: planLimits[plan].imageTransformations.included,
})

export const storageUse = {
  /** Of the month (UTC) that goes on; the last seconds are not in it yet. What is stored tells `storage.usage`. */
  get: endpoint('storage.use', 'GET /platform/storage/:ref/use', {
    needs: inProject('storage:Read', '*'),
    input: z.object({ ref: ProjectRef }),
    returns: z.object({
      egress_bytes: z.number(),
      /** Stored images of which one was rendered, each once. */
      rendered_images: z.number(),
      /** Null: an installation without plans. */
      included: Included.nullable(),
    }),
  }),
}
