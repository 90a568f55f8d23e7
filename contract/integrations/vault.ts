import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref } from '../values.ts'

export const VaultSecret = z.object({
  id: z.uuid(),
  /** Null: it was made without one. */
  name: z.string().nullable(),
  description: z.string(),
  /** False: it was sealed with a key that this project does not have. Only a new value helps. */
  opens: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
})
export type VaultSecret = z.infer<typeof VaultSecret>

export const VaultKey = z.object({
  id: z.uuid(),
  made_at: Instant,
  /** Secrets are being sealed with it that another key has sealed. */
  rotating: z.boolean(),
  /** Why the last rotation did not finish, while there is still something to be finished. */
  failure: z.string().nullable(),
  /** Earlier keys that are kept because a backup may need them. */
  former: z.int(),
})
export type VaultKey = z.infer<typeof VaultKey>

export const vaultUseKinds = [
  'cron',
  'webhook',
  'trigger',
  'event_trigger',
  'function',
  'view',
  'policy',
  'default',
  'server',
  'mapping',
  'foreign_table',
] as const

/** Something in the database whose text names a secret. */
export const VaultUse = z.object({
  /** The id of the secret. */
  secret: z.uuid(),
  kind: z.enum(vaultUseKinds),
  /** Null where it is in none, such as a cron job. */
  schema: z.string().nullable(),
  /** The table of a trigger, a policy or a default; the role of a user mapping. */
  owner: z.string().nullable(),
  name: z.string(),
  /** The function that names the secret, where this one calls it. */
  through: z.string().nullable(),
  /** False: only the name of the secret is in it, which may be chance. True: it speaks of the vault, too. */
  reads: z.boolean(),
})
export type VaultUse = z.infer<typeof VaultUse>

/** Uses that are listed, at most, those that read the vault first. */
export const maxVaultUses = 2000

/** Secrets of one project that are listed, at most. */
export const maxVaultSecrets = 1000

const ByRef = z.object({ ref })
const ById = ByRef.extend({ id: z.uuid() })
const value = z.string().min(1).max(65_536)
const name = z.string().trim().min(1).max(200)
const description = z.string().max(2000)
const base = '/platform/projects/:ref/vault' as const
const reads = inProject('tenant:Sql:Admin:Read', 'vault')
const writes = inProject('tenant:Sql:Admin:Write', 'vault')

/** Secrets that lie encrypted in a project's database (supabase_vault). Their values come out by `reveal` alone. */
export const vault = {
  state: endpoint('vault.state', `GET ${base}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({
      /** Whether the server has the extension; on a server that is somebody else's it may not. */
      available: z.boolean(),
      /** Whether the database has it; without it there are no secrets. */
      installed: z.boolean(),
      secrets: z.array(VaultSecret),
      /** Null where the server, and with it the key, is somebody else's. */
      key: VaultKey.nullable(),
    }),
  }),
  /** What in the database names which secret. Found by reading texts: what builds names at run time is not found. */
  uses: endpoint('vault.uses', `GET ${base}/uses`, {
    needs: reads,
    perMinute: 60,
    input: ByRef,
    returns: z.object({ uses: z.array(VaultUse) }),
  }),
  create: endpoint('vault.create', `POST ${base}/secrets`, {
    needs: writes,
    status: 201,
    input: ByRef.extend({ name: name.optional(), description: description.default(''), value }),
    returns: z.object({ id: z.uuid() }),
  }),
  /** Changes what is given. */
  update: endpoint('vault.update', `PATCH ${base}/secrets/:id`, {
    needs: writes,
    input: ById.extend({
      name: name.optional(),
      description: description.optional(),
      value: value.optional(),
    }),
    returns: z.object({ id: z.uuid() }),
  }),
  remove: endpoint('vault.remove', `DELETE ${base}/secrets/:id`, {
    needs: writes,
    input: ById,
    returns: z.object({ id: z.uuid() }),
  }),
  /** The value of one secret. The audit log says who has seen it. */
  reveal: endpoint('vault.reveal', `POST ${base}/secrets/:id/reveal`, {
    needs: inProject('secrets:Read', 'vault.secrets'),
    perMinute: 60,
    input: ById,
    returns: z.object({ value: z.string() }),
  }),
  /** A new key, with which all secrets are sealed anew; or goes on with a rotation that did not finish. */
  rotate: endpoint('vault.rotate', `POST ${base}/rotate`, {
    needs: inProject('secrets:Write', 'vault.keys'),
    status: 202,
    perMinute: 10,
    input: ByRef,
    returns: z.object({ id: z.uuid() }),
  }),
}
