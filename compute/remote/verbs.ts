import { z } from 'zod'
import { loginRoles } from '#contract/database/login-roles'
import { BranchMask } from '#contract/projects/branch-masks'
import type { Backups, Provider, ReadReplicas } from '../provider.ts'

const Ref = z.string().max(100)
const Password = z.string().max(10_000)
const Limits = z.object({ maxConnections: z.number().int() })
const Address = z.object({
  socketDir: z.string(),
  port: z.number().int(),
  name: z.string().exactOptional(),
  tls: z.enum(['require', 'verify-full']).exactOptional(),
})
const Changed = z
  .object({ address: Address, downMs: z.number().optional() })
  .transform(({ address, downMs }) => ({ address, downMs }))
const Spec = z.object({
  ref: Ref,
  passwords: z.object({ postgres: Password, service: Password, admin: Password }),
  newTables: z.enum(['private', 'granted']).exactOptional(),
  limits: Limits,
})
const Version = z.object({ id: z.string(), version: z.string() })
const BackupKey = z.object({ ref: Ref, id: z.string().max(100) })
const BackupFacts = z.object({ bytes: z.number(), takenAt: z.coerce.date() })
const ReplicaKey = z.object({ ref: Ref, id: z.string().max(100) })
const RestorePoint = z.union([
  z.strictObject({ ref: Ref, id: z.string().max(100) }),
  z.strictObject({ ref: Ref, until: z.coerce.date() }),
])
const nothing = z.undefined()

type Verb<Call> = Call extends (...args: infer Args) => Promise<infer Result>
  ? { args: z.ZodType<Args>; returns: z.ZodType<Result extends void ? undefined : Result> }
  : never
/** What an agent is told with one line of JSON and answers with one: everything of `Part` that is asked and answered so. */
type VerbsOf<Part, Without extends string> = {
  [Name in Exclude<keyof Part, Without>]-?: Verb<NonNullable<Part[Name]>>
}
const verb = <Args extends z.ZodType, Returns extends z.ZodType>(args: Args, returns: Returns) => ({
  args,
  returns,
})

/** Of the provider itself. What is left out is not asked of an agent, or in another way (`agent.ts`). */
const providerVerbs = {
  prepare: verb(z.tuple([]), nothing),
  create: verb(z.tuple([Spec]), Address),
  start: verb(z.tuple([Ref]), Address),
  stop: verb(z.tuple([Ref]), nothing),
  restart: verb(z.tuple([Ref]), Address),
  resize: verb(z.tuple([Ref, Limits]), Changed),
  limits: verb(z.tuple([Ref]), Limits.optional()),
  destroy: verb(z.tuple([Ref]), nothing),
  inspect: verb(
    z.tuple([Ref]),
    z.discriminatedUnion('state', [
      z.object({ state: z.literal('absent') }),
      z.object({ state: z.literal('stopped') }),
      z.object({ state: z.literal('running'), address: Address }),
      z.object({ state: z.literal('unknown'), reason: z.string() }),
    ]),
  ),
  probe: verb(z.tuple([Ref]), z.boolean()),
  list: verb(z.tuple([]), z.array(z.string())),
  setReadOnly: verb(z.tuple([Ref, z.boolean()]), nothing),
  diskUse: verb(z.tuple([Ref]), z.object({ database: z.number(), other: z.number() }).optional()),
  diskMark: verb(z.tuple([Ref]), z.string().optional()),
  load: verb(
    z.tuple([Ref]),
    z
      .object({
        cpuSeconds: z.number(),
        memoryBytes: z.number(),
        connections: z.number(),
        start: z.string().exactOptional(),
        disk: z.object({ read: z.number(), written: z.number() }).exactOptional(),
      })
      .optional(),
  ),
  diskSpace: verb(z.tuple([]), z.object({ free: z.number(), size: z.number() })),
  setNetworks: verb(z.tuple([Ref, z.array(z.string()).nullable()]), nothing),
  adopt: verb(z.tuple([Spec.pick({ ref: true, passwords: true })]), z.object({ limits: Limits })),
  checkRoles: verb(
    z.tuple([Ref, Password]),
    z
      .object({
        findings: z.array(
          z.object({
            found: z.string(),
            repaired: z.boolean(),
            failure: z.string().exactOptional(),
          }),
        ),
        failure: z.string().exactOptional(),
      })
      .optional(),
  ),
  passwordVerifier: verb(z.tuple([Ref, z.string(), Password]), z.string().optional()),
  openLogin: verb(
    z.tuple([
      Ref,
      z.object({
        role: z.enum([loginRoles.owner, loginRoles.reader]),
        verifier: z.string(),
        until: z.coerce.date(),
      }),
      Password,
    ]),
    z.boolean(),
  ),
  closeLogins: verb(z.tuple([Ref, Password]), z.boolean()),
  versions: verb(
    z.tuple([Ref]),
    z.object({
      current: Version,
      latest: Version.extend({ extensions: z.array(z.string()) }),
    }),
  ),
  changeVersion: verb(z.tuple([Ref, z.string()]), Changed),
  layVaultKeys: verb(z.tuple([Ref]), nothing),
} satisfies VerbsOf<
  Provider,
  'capacity' | 'upgradeFailure' | 'onServerLog' | 'close' | 'names' | 'backups' | 'replicas'
>

const backupVerbs = {
  make: verb(z.tuple([BackupKey, Password]), BackupFacts),
  check: verb(z.tuple([BackupKey, Password]), z.object({ tables: z.number(), rows: z.number() })),
  remove: verb(z.tuple([BackupKey]), nothing),
  refs: verb(z.tuple([]), z.array(z.string())),
  facts: verb(z.tuple([BackupKey]), BackupFacts),
  list: verb(z.tuple([Ref]), z.array(z.string())),
  restore: verb(
    z.tuple([
      Spec,
      RestorePoint,
      z.string(),
      z.object({ rows: z.boolean(), masks: z.array(BranchMask) }).optional(),
    ]),
    Address,
  ),
  setArchive: verb(z.tuple([Ref, z.boolean()]), Address.optional()),
  windows: verb(
    z.tuple([Ref]),
    z.array(
      z
        .object({ from: z.coerce.date(), to: z.coerce.date().optional() })
        .transform(({ from, to }) => ({ from, to })),
    ),
  ),
} satisfies VerbsOf<Backups, 'read' | 'wholeCopiesOnly'>

const replicaVerbs = {
  make: verb(z.tuple([ReplicaKey, Password]), Address),
  restart: verb(z.tuple([ReplicaKey]), Address),
  drop: verb(z.tuple([ReplicaKey, Password]), nothing),
  promote: verb(
    z.tuple([ReplicaKey, Password, z.object({ order: z.string(), force: z.boolean() })]),
    Address,
  ),
  list: verb(
    z.tuple([Ref, Password]),
    z.array(
      z.object({
        id: z.string(),
        state: z.enum(['streaming', 'catching_up', 'stopped', 'broken']),
        address: Address.exactOptional(),
        lagBytes: z.number().exactOptional(),
        lagSeconds: z.number().exactOptional(),
        reason: z.string().exactOptional(),
      }),
    ),
  ),
} satisfies VerbsOf<ReadReplicas, never>

export const verbs = { provider: providerVerbs, backups: backupVerbs, replicas: replicaVerbs }
export type Group = keyof typeof verbs
