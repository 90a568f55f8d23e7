import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { usageIsBilled, type Tier } from '../billing/plans.ts'
import { Instant, ProjectRef } from '../values.ts'

const megabyte = 1024 ** 2

/**
 * Bytes that the database of a project may have (requirements §9: 500 MB on Free, 8 GB included elsewhere); null where more
 * is billed, and only the disk itself is the limit.
 */
export function databaseLimit(tier: Tier): number | null {
  if (tier === 'tier_free') return 500 * megabyte
  return usageIsBilled[tier] ? null : 8 * 1024 * megabyte
}

/**
 * `near`: from nine tenths of the limit on; people are warned, until it is down to 85%. `full`: beyond the limit; the database can
 * only be read until it is down to nineteen twentieths.
 */
export const diskStates = ['ok', 'near', 'full'] as const
export type DiskState = (typeof diskStates)[number]
export const nearFrom = 0.9
export const nearUntil = 0.85
export const releasedBelow = 0.95

/** For how long a full database may be written to when somebody asks for it, to delete something. */
export const writableMinutes = 15
/** As many times its limit as a database may have before its project is paused. */
export const pausedBeyond = 2

export const DiskUsage = z.object({
  /** Null: not measured yet, or the server is somebody else's. */
  measured_at: Instant.nullable(),
  /** Bytes of all tables, indexes and the rest of the databases. */
  database_bytes: z.number(),
  /** Bytes of the write-ahead log and what else the server keeps beside the databases. */
  other_bytes: z.number(),
  /** What `database_bytes` may be; null: as much as the disk holds. */
  limit_bytes: z.number().nullable(),
  state: z.enum(diskStates),
  /** Until then a full database can be written to. */
  writable_until: Instant.nullable(),
})
export type DiskUsage = z.infer<typeof DiskUsage>

/** What a project's server takes of the disk, measured once a minute while it runs. */
export const disk = {
  usage: endpoint('disk.usage', 'GET /platform/projects/:ref/disk/usage', {
    needs: inProject('read:Read', 'projects'),
    /** `last`: at once, as it was measured last. */
    input: z.object({ ref: ProjectRef, last: z.stringbool().default(false) }),
    returns: DiskUsage,
  }),
  /** Lets a full database be written to for a quarter of an hour. */
  allowWrites: endpoint('disk.allowWrites', 'POST /platform/projects/:ref/disk/allow-writes', {
    needs: inProject('write:Update', 'projects'),
    status: 201,
    input: z.object({ ref: ProjectRef }),
    returns: DiskUsage,
  }),
}
