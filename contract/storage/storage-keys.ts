import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { displayName, Instant, ProjectRef } from '../values.ts'

/** Most access keys of one project; every one of them is told to the data planes. */
export const maxStorageKeys = 20

/** What a program signs requests of the S3 protocol with: it reaches every bucket of the project, past all policies. */
export const StorageKey = z.object({
  id: z.string(),
  /** What people call it. */
  description: z.string(),
  /** The public half, which stands in every request. */
  access_key: z.string(),
  created_at: Instant,
  /** Who made it: an e-mail address, or null when the account is gone. */
  created_by: z.string().nullable(),
})
export type StorageKey = z.infer<typeof StorageKey>

const ByRef = z.object({ ref: ProjectRef })
const path = '/platform/storage/:ref/credentials' as const
const resource = 's3_credentials'

/** The access keys of a project's storage. */
export const storageKeys = {
  /** The oldest first; never a secret. */
  list: endpoint('storageKeys.list', `GET ${path}`, {
    needs: inProject('storage:Admin:Read', resource),
    input: ByRef,
    returns: z.object({ data: z.array(StorageKey) }),
  }),
  /** The one answer in which the secret stands. */
  create: endpoint('storageKeys.create', `POST ${path}`, {
    needs: inProject('storage:Admin:Write', resource),
    status: 201,
    perMinute: 60,
    input: ByRef.extend({ description: displayName(1, 100) }),
    returns: StorageKey.extend({ secret_key: z.string() }),
  }),
  /** From now on nothing that it has signed is answered; this cannot be taken back. */
  remove: endpoint('storageKeys.remove', `DELETE ${path}/:id`, {
    needs: inProject('storage:Admin:Write', resource),
    input: ByRef.extend({ id: z.uuid() }),
    returns: StorageKey,
  }),
}
