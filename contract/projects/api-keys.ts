import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef, printable } from '../values.ts'

/** Keys that can be made: a publishable one acts as `anon`, a secret one as `service_role`. */
export const apiKeyTypes = ['publishable', 'secret'] as const
export type ApiKeyType = (typeof apiKeyTypes)[number]
export type ApiKeyRole = 'anon' | 'service_role'
export const roleOfKey = { publishable: 'anon', secret: 'service_role' } as const

/** Most keys of one project; every one of them is told to the data planes. */
export const maxApiKeys = 50

export const ApiKey = z.object({
  /** `anon` and `service_role` for the legacy keys. */
  id: z.string(),
  type: z.enum(['legacy', ...apiKeyTypes]),
  name: z.string(),
  /** Of a secret key only the beginning, unless it was asked to be revealed. */
  api_key: z.string(),
  prefix: z.string(),
  /** SHA-256 of the key in base64url; null for legacy keys. */
  hash: z.string().nullable(),
  description: z.string().nullable(),
  secret_jwt_template: z.object({ role: z.string() }).nullable(),
  inserted_at: Instant.nullable(),
  updated_at: Instant.nullable(),
  /** To the minute or so; null as long as nobody has shown it, and for legacy keys, which are not watched. */
  last_used_at: Instant.nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

const name = z
  .string()
  .regex(
    /^[a-z_][a-z0-9_]{3,63}$/,
    'must be 4 to 64 lower-case letters, digits and underscores, and not begin with a digit',
  )
const description = z
  .string()
  .trim()
  .max(500)
  .regex(printable, 'must not contain control characters')
  .transform((text) => (text === '' ? null : text))
  .nullable()

/** The words for true and false that programs of this API send in a query. */
const yes = ['true', '1', 'yes', 'on', 'y', 'enabled'] as const
const no = ['false', '0', 'no', 'off', 'n', 'disabled'] as const
const truth = z
  .union([z.boolean(), z.enum([...yes, ...no])])
  .transform((value) => value === true || (yes as readonly unknown[]).includes(value))

const ByRef = z.object({ ref: ProjectRef })
const reveal = truth.default(false)
const Revealed = ByRef.extend({ reveal })
const ById = Revealed.extend({ id: z.uuid() })
const path = '/v1/projects/:ref/api-keys' as const
const Legacy = z.object({ enabled: z.boolean() })
const Needed = z.object({ needed: z.boolean() })
/** Everything that all members may read needs this; what of it the caller sees is for the handler to say. */
const sees = inProject('read:Read', 'projects')

/** The keys that clients of a project show. */
export const apiKeys = {
  /** The keys that the caller may read. */
  list: endpoint('apiKeys.list', `GET ${path}`, {
    needs: sees,
    input: Revealed,
    returns: z.array(ApiKey),
  }),
  /** The answer is the whole key, whatever is asked to be revealed: who makes a key needs it once. */
  create: endpoint('apiKeys.create', `POST ${path}`, {
    needs: inProject('write:Create', 'api_keys'),
    status: 201,
    input: Revealed.extend({
      type: z.enum(apiKeyTypes),
      name,
      description: description.optional(),
      secret_jwt_template: z.object({ role: z.literal('service_role') }).nullish(),
    }),
    returns: ApiKey,
  }),
  legacy: endpoint('apiKeys.legacy', `GET ${path}/legacy`, {
    needs: inProject('read:Read', 'api_keys'),
    input: ByRef,
    returns: Legacy,
  }),
  /** Whether the anon and service_role keys open anything. */
  setLegacy: endpoint('apiKeys.setLegacy', `PUT ${path}/legacy`, {
    needs: inProject('write:Update', 'api_keys'),
    input: ByRef.extend({ enabled: truth }),
    returns: Legacy,
  }),
  needed: endpoint('apiKeys.needed', `GET ${path}/needed`, {
    needs: inProject('read:Read', 'api_keys'),
    input: ByRef,
    returns: Needed,
  }),
  /** Whether requests need a key; without one they are those of the anonymous role. */
  setNeeded: endpoint('apiKeys.setNeeded', `PUT ${path}/needed`, {
    needs: inProject('write:Update', 'api_keys'),
    input: ByRef.extend({ needed: truth }),
    returns: Needed,
  }),
  get: endpoint('apiKeys.get', `GET ${path}/:id`, {
    needs: inProject('read:Read', 'api_keys'),
    input: ById,
    returns: ApiKey,
  }),
  update: endpoint('apiKeys.update', `PATCH ${path}/:id`, {
    needs: inProject('write:Update', 'api_keys'),
    input: ById.extend({ name: name.optional(), description: description.optional() }),
    returns: ApiKey,
  }),
  /** From now on it opens nothing; this cannot be taken back. */
  remove: endpoint('apiKeys.remove', `DELETE ${path}/:id`, {
    needs: inProject('write:Delete', 'api_keys'),
    input: ById.extend({
      was_compromised: truth.default(false),
      reason: z.string().max(500).optional(),
    }),
    returns: ApiKey,
  }),
}
