import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref } from '../values.ts'

/** Objects and folders that one job names. */
export const maxJobItems = 1000

export const jobKinds = ['move', 'copy', 'remove'] as const
const bucket = z.string().min(1).max(100)
/** A key; with a slash at the end everything below it; empty: the whole bucket. */
const place = z.string().max(1024)

/** What a round of a job does, and what has become of it. The data plane does it; the control plane asks for the next. */
export const StorageRound = z.object({
  ref,
  kind: z.enum(jobKinds),
  bucket,
  to_bucket: bucket.nullable(),
  item: z.object({ from: place, to: place.optional() }),
  /** The last key that is done. */
  after: z.string().max(4096),
})
export type StorageRound = z.infer<typeof StorageRound>
export const StorageRoundDone = z.object({
  done: z.number(),
  failed: z.number(),
  /** Null: nothing is left of this item. */
  after: z.string().nullable(),
})
export type StorageRoundDone = z.infer<typeof StorageRoundDone>

/** Has what is over in the trash of a project removed, by the data plane, though nobody uses its storage. */
export const StoragePurge = z.object({ ref })
export const StoragePurged = z.object({ purged: z.number() })

/** Counts the stored bytes of a project that no row of its database names, and removes them where that is said. */
export const StorageUnnamed = z.object({ ref, remove: z.boolean() })
export const StorageUnnamedFound = z.object({ found: z.number() })

export const StorageJob = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  bucket: z.string(),
  /** Of the first thing that it is about; empty: the whole bucket. */
  from: z.string(),
  items: z.number(),
  status: z.enum(['RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  /** Objects. */
  done: z.number(),
  /** Those that were left where they are, such as where one of the name is already. */
  failed: z.number(),
  failure: z.string().nullable(),
  started_by: z.string(),
  created_at: Instant,
  finished_at: Instant.nullable(),
})
export type StorageJob = z.infer<typeof StorageJob>

const ByRef = z.object({ ref })
const isFolder = (path: string) => path === '' || path.endsWith('/')
const jobs = '/platform/storage/:ref/jobs' as const

/** What takes long: folders that are moved, copied or removed, and buckets that are emptied. It survives a crash. */
export const storageJobs = {
  /** Those that run, and those of the last day; the newest first. */
  jobs: endpoint('storage.jobs', `GET ${jobs}`, {
    needs: inProject('storage:Read', '*'),
    input: ByRef,
    returns: z.array(StorageJob),
  }),
  /** Of a bucket that is being emptied already, the answer is the job that does it. */
  startJob: endpoint('storage.startJob', `POST ${jobs}`, {
    needs: inProject('storage:Write', '*'),
    status: 201,
    input: ByRef.extend({
      kind: z.enum(jobKinds),
      bucket,
      to_bucket: bucket.optional(),
      items: z
        .array(
          z
            .object({ from: place, to: place.optional() })
            .refine(({ from, to }) => to === undefined || isFolder(from) === isFolder(to), {
              error: 'a folder becomes a folder, and an object an object',
            }),
        )
        .min(1)
        .max(maxJobItems),
    })
      .refine(({ kind, items }) => kind === 'remove' || items.every(({ to }) => to !== undefined), {
        error: 'items: say where each goes to',
      })
      .refine(
        ({ kind, bucket: from, to_bucket: to = from, items }) =>
          kind === 'remove' ||
          from !== to ||
          items.every((item) =>
            isFolder(item.from) ? !item.to?.startsWith(item.from) : item.to !== item.from,
          ),
        { error: 'items: nothing goes into itself' },
      ),
    returns: StorageJob,
  }),
  /** What is done stays done. */
  cancelJob: endpoint('storage.cancelJob', `DELETE ${jobs}/:id`, {
    needs: inProject('storage:Write', '*'),
    input: ByRef.extend({ id: z.uuid() }),
    returns: StorageJob,
  }),
}
