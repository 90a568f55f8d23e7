import { z } from 'zod'
import { planIds } from '../billing/plans.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'
import { computeSizeIds, type ComputeSizeId } from './compute-sizes.ts'

/** How far a replica has come in its life (facts §3.2); RESTARTING and GOING_DOWN as of projects. */
export const replicaStatuses = [
  'INIT_READ_REPLICA',
  'INIT_READ_REPLICA_FAILED',
  'ACTIVE_HEALTHY',
  'RESTARTING',
  'GOING_DOWN',
] as const
export type ReplicaStatus = (typeof replicaStatuses)[number]

/** How it follows its project at this moment. */
export const replicaStates = ['streaming', 'catching_up', 'stopped', 'broken'] as const
export type ReplicaState = (typeof replicaStates)[number]

const rank = (size: ComputeSizeId) => computeSizeIds.indexOf(size)

/** The smallest size of a project that may have replicas, which have its size. */
export const smallestReplicaSize: ComputeSizeId = 'small'
export const mayHaveReplicas = (size: ComputeSizeId): boolean =>
  rank(size) >= rank(smallestReplicaSize)

/** How many a project of this size may have. */
export const maxReplicas = (size: ComputeSizeId): number =>
  mayHaveReplicas(size) ? (rank(size) >= rank('xlarge') ? 5 : 2) : 0

/** The user by which the pooler sends somebody to a replica: `postgres.REF-rr-IDENTIFIER`. */
export const replicaTenant = (ref: string, identifier: string): string => `${ref}-rr-${identifier}`

/** The project behind what the pooler calls a project or a replica of it; undefined: nobody is called so. */
export function projectOfTenant(tenant: string): string | undefined {
  const [, ref = tenant] = /^(.+)-rr-[a-z]{5}$/.exec(tenant) ?? []
  return ProjectRef.safeParse(ref).success ? ref : undefined
}

export const Identifier = z
  .string()
  .length(5)
  .regex(/^[a-z]{5}$/, 'An identifier has five lower-case letters')

export const Replica = z.object({
  /** Five letters: unique within its project. */
  identifier: z.string(),
  status: z.enum(replicaStatuses),
  /** Null while nobody can tell, such as while it is being made. */
  state: z.enum(replicaStates).nullable(),
  /** Why it does not follow, or why the last thing that was done to it failed; null: all is well. */
  reason: z.string().nullable(),
  /** Bytes of write-ahead log that it has not replayed yet. */
  lag_bytes: z.number().nullable(),
  /** Seconds from a commit until it was visible there, when that was last measured. */
  lag_seconds: z.number().nullable(),
  created_at: Instant,
})
export type Replica = z.infer<typeof Replica>

export const Replicas = z.object({
  /** The oldest first. */
  replicas: z.array(Replica),
  plan: z.enum(planIds),
  size: z.enum(computeSizeIds),
  /** False: the server is somebody else's, who makes copies of it or not. */
  available: z.boolean(),
})
export type Replicas = z.infer<typeof Replicas>

const resource = 'read_replicas'
const path = '/platform/projects/:ref/read-replicas' as const
const one = `${path}/:identifier` as const
const ByRef = z.object({ ref: ProjectRef })
const ByIdentifier = ByRef.extend({ identifier: Identifier })

/** Read replicas of a project: made, restarted and dropped by durable jobs. */
export const replicas = {
  list: endpoint('replicas.list', `GET ${path}`, {
    needs: inProject('read:Read', resource),
    input: ByRef,
    returns: Replicas,
  }),
  create: endpoint('replicas.create', `POST ${path}`, {
    needs: inProject('write:Create', resource),
    perMinute: 20,
    status: 201,
    input: ByRef,
    returns: Replica,
  }),
  restart: endpoint('replicas.restart', `POST ${one}/restart`, {
    needs: inProject('infra:Execute', 'reboot'),
    perMinute: 20,
    status: 201,
    input: ByIdentifier,
    returns: Replica,
  }),
  /**
   * The replica becomes the primary by a durable job: the project is RESTARTING meanwhile, and has one replica less. Without `force` nothing
   * that was acknowledged is lost, or the project goes on as it was. With it, what the replica lacks is.
   */
  promote: endpoint('replicas.promote', `POST ${one}/promote`, {
    needs: inProject('write:Create', resource),
    perMinute: 20,
    status: 201,
    input: ByIdentifier.extend({ force: z.boolean().default(false) }),
    returns: Replica,
  }),
  /** It is gone a moment later. */
  remove: endpoint('replicas.remove', `DELETE ${one}`, {
    needs: inProject('write:Delete', resource),
    input: ByIdentifier,
    returns: Replica,
  }),
}
