import { z } from 'zod'
import { projectStatuses } from './projects/project-status.ts'
import { RealtimeSettings } from './realtime/realtime.ts'
import { ServiceRestarts } from './projects/service-restarts.ts'
import { signingAlgorithms } from './projects/signing-keys.ts'
import { StorageServing } from './storage/storage-settings.ts'
import { ProjectRef } from './values.ts'

/** How the data plane serves one project; what it has no value for keeps its default. */
export const ProjectServing = z.object({
  /** Schemas of the data API; the first one is what a request without a profile header means. */
  exposedSchemas: z.array(z.string().min(1)).min(1).default(['public', 'graphql_public']),
  extraSearchPath: z.array(z.string().min(1)).default(['public', 'extensions']),
  /** Most rows that one read or function call answers with. */
  maxRows: z.number().int().min(1).default(1000),
  /** True lets a request without a valid key pass as anon (the habit of local development stacks). */
  keyOptional: z.boolean().default(false),
  /** The auth service's own settings that are not the default, by their keys (`auth-config-keys.ts`). */
  auth: z.record(z.string(), z.unknown()).default({}),
  /** Undefined: as every new project has it. */
  realtime: RealtimeSettings.optional(),
  /** Undefined: everything that the installation has. */
  storage: StorageServing.optional(),
})
export type ProjectServing = z.infer<typeof ProjectServing>

export const ServedSigningKey = z.object({
  kid: z.string().min(1),
  algorithm: z.enum(signingAlgorithms),
  status: z.enum(['in_use', 'standby', 'previously_used']),
  jwk: z.record(z.string(), z.unknown()),
})
export type ServedSigningKey = z.infer<typeof ServedSigningKey>

/** An issuer outside of the project whose tokens it takes. */
export const ServedThirdParty = z.object({
  id: z.string(),
  /** Null: its keys count whoever a token says has issued it. */
  issuer: z.string().nullable(),
  /** Null: any audience. */
  audience: z.string().nullable(),
  /** Null: behind the description of the issuer, unless `jwks` is all that there is. */
  jwksUrl: z.string().nullable(),
  /** The keys never change, as people have given them. */
  isFixed: z.boolean(),
  /** The keys that were found last. */
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  /** When that was, in milliseconds since 1970. */
  readAt: z.number(),
})
export type ServedThirdParty = z.infer<typeof ServedThirdParty>

/** All that the data plane needs to serve one project. It holds secrets: never log it, never send it to a client. */
export const ProjectConnection = z.object({
  ref: ProjectRef,
  status: z.enum(projectStatuses),
  /** Its organization owes, or uses, too much for too long: reading goes on, nothing may be changed. */
  restricted: z.boolean().default(false),
  /** The restriction comes from a quota: deleting goes on as well. */
  mayDelete: z.boolean().default(false),
  /** Until then people may change things in SQL in spite of that, to delete; ISO 8601. */
  writableUntil: z.string().nullable().default(null),
  database: z.object({
    /** A socket directory (starts with a slash) or a host name. */
    host: z.string().min(1),
    port: z.number().int().min(1).max(65535),
    name: z.string().min(1).default('postgres'),
    tls: z.enum(['require', 'verify-full']).optional(),
    /** Of every login role of the services: authenticator and its three siblings, and the services' admins. */
    servicePassword: z.string(),
    adminPassword: z.string().optional(),
    /** How many connections the services may have to it at once; by default as many as the smallest server has places for. */
    connections: z.number().int().min(1).optional(),
  }),
  /** Read replicas that were made: where their databases are, which are entered as the project's own. */
  replicas: z
    .array(z.object({ identifier: z.string(), host: z.string().min(1), port: z.number().int() }))
    .optional(),
  jwtSecret: z.string().min(32),
  /** 64 hexadecimal digits: seals what the services keep of the project's users. Unlike `jwtSecret` it never rotates. */
  sealingKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of a project that began with the data of another one: for whom and by which key the secrets in them are sealed. */
  dataSealed: z
    .object({ ref: ProjectRef, sealingKey: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional(),
  /**
   * What tokens are signed and verified by; revoked keys are not among them. Empty: by `jwtSecret` alone. The one in use
   * is private, or a secret; of the others, only secrets are.
   */
  signingKeys: z.array(ServedSigningKey).default([]),
  /** Whose tokens the data API takes besides the project's own. */
  thirdPartyAuth: z.array(ServedThirdParty).default([]),
  anonKey: z.string(),
  serviceKey: z.string(),
  /** Undefined: the two legacy keys open the project. Otherwise when that was ended. */
  legacyKeysDisabledAt: z.string().optional(),
  /** Keys that are no tokens (`sb_publishable_…`, `sb_secret_…`): known by the SHA-256 of their text, in hex. */
  opaqueKeys: z
    .array(z.object({ sha256: z.string().length(64), role: z.enum(['anon', 'service_role']) }))
    .default([]),
  /** What signs requests of the S3 protocol: keys that reach all of the project's storage. */
  storageKeys: z.array(z.object({ accessKey: z.string(), secretKey: z.string() })).default([]),
  /** When its services were last restarted by somebody; undefined: never. */
  restarts: ServiceRestarts.optional(),
  /** The address of the project that always works, without a slash at its end: tokens are issued by it. */
  url: z.string(),
  /** What links that people get begin with: a name of its own where it has one. Undefined: `url`. */
  publicUrl: z.string().optional(),
  settings: ProjectServing,
})
export type ProjectConnection = z.infer<typeof ProjectConnection>

/** One line of the stream of changes: whatever is known about this project is out of date; null: something that is of none. */
export const ProjectChange = z.object({ ref: ProjectRef.nullable() })

/** A key that is no token was shown: by the hash that it is known by. */
export const KeyUse = z.object({
  ref: ProjectRef,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.number().int().min(0),
})
export type KeyUse = z.infer<typeof KeyUse>
