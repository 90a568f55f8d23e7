import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

/** Objects of the trash that one call names. */
export const maxTrashItems = 1000
export const trashPageSize = 100

export const TrashItem = z.object({
  id: z.string(),
  bucket: z.string(),
  /** The whole key. */
  name: z.string(),
  size: z.number().nullable(),
  type: z.string().nullable(),
  /** The subject of the token by which it was stored. */
  owner_id: z.string().nullable(),
  deleted_at: Instant,
  /** The subject or the mail address of who deleted it; of a key or of SQL, the role. */
  deleted_by: z.string().nullable(),
  /** From when on it cannot be had back. */
  expires_at: Instant,
})
export type TrashItem = z.infer<typeof TrashItem>

/** What became of one of many. */
const Restored = z.object({
  id: z.string(),
  /** Null: it is back. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})

const ByRef = z.object({ ref })
const base = '/platform/storage/:ref/trash' as const
const reads = inProject('storage:Read', '*')
const writes = inProject('storage:Write', '*')
const removed = z.object({ removed: z.number() })
const ids = z.array(z.uuid()).min(1).max(maxTrashItems)

/** Deleted objects of a project, as long as its plan keeps them. Done in the data plane, as `storage` is. */
export const storageTrash = {
  /** What was deleted last comes first. */
  list: endpoint('storage.trash', `GET ${base}`, {
    needs: reads,
    input: ByRef.extend({
      bucket: z.string().min(1).max(100).optional(),
      /** A part of the name, whatever its case. */
      search: z.string().max(200).default(''),
      limit: wholeNumber(1, 1000).default(trashPageSize),
      /** `next` of the page before. */
      cursor: z.string().max(200).optional(),
    }),
    returns: z.object({
      items: z.array(TrashItem),
      next: z.string().nullable(),
      /** How long something stays. */
      days: z.number(),
    }),
    raw: true,
  }),
  /** As it was, or under another name. @throws 409 where one of the name is already */
  restore: endpoint('storage.restore', `POST ${base}/:item`, {
    needs: writes,
    input: ByRef.extend({ item: z.uuid(), name: z.string().min(1).max(1024).optional() }),
    returns: z.object({ bucket: z.string(), name: z.string() }),
    raw: true,
  }),
  /** Each by itself: one that is in the way stops no other. */
  restoreMany: endpoint('storage.restoreMany', `POST ${base}`, {
    needs: writes,
    input: ByRef.extend({ ids }),
    returns: z.object({ results: z.array(Restored) }),
    raw: true,
  }),
  /** For ever. Those that are gone already are not counted. */
  purge: endpoint('storage.purge', `POST ${base}/purge`, {
    needs: writes,
    input: ByRef.extend({ ids }),
    returns: removed,
    raw: true,
  }),
  /** All of it, or of one bucket, for ever. Nothing can be restored from now on; the bytes go soon afterwards. */
  empty: endpoint('storage.emptyTrash', `POST ${base}/empty`, {
    needs: inProject('storage:Admin:Write', '*'),
    input: ByRef.extend({ bucket: z.string().min(1).max(100).optional() }),
    returns: removed,
    raw: true,
  }),
}
