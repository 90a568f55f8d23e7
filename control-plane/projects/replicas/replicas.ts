import { randomInt } from 'node:crypto'
import type { ReadReplicas, ReplicaStatus as Following } from '#compute/provider'
import { planOfTier } from '#contract/billing/plans'
import { computeSizes } from '#contract/projects/compute-sizes'
import {
  maxReplicas,
  mayHaveReplicas,
  smallestReplicaSize,
  type Replica,
  type Replicas,
  type ReplicaStatus,
} from '#contract/projects/replicas'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Platform } from '../../platform.ts'
import type { ReplicaOfProject, ReplicaRow, ReplicaStore, Subject } from './store.ts'

export type By = { caller: Caller; origin: Origin }
export type ReplicaDeps = {
  store: ReplicaStore
  /** Undefined where the server is somebody else's. */
  compute: ReadReplicas | undefined
  adminPasswordOf: (ref: string) => Promise<string>
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  projects: Pick<Platform['projects'], 'transition'>
  /** Tells the data planes that the project has changed. */
  notify: (tx: Tx, ref: string) => Promise<void>
  log: Log
}

/** What is done to replicas, each a durable job, and the status that one has meanwhile. */
const deeds = {
  make: 'INIT_READ_REPLICA',
  restart: 'RESTARTING',
  drop: 'GOING_DOWN',
} as const satisfies Record<string, ReplicaStatus>
export type Deed = keyof typeof deeds

const letters = 'abcdefghijklmnopqrstuvwxyz'
const newIdentifier = () =>
  Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

/** The rules of read replicas. What is done to one is a durable job (workflows.ts), one at a time for each. */
export function createReplicas(deps: ReplicaDeps) {
  const { store, compute, log } = deps

  async function subjectOf(ref: string, tx?: Tx): Promise<Subject> {
    const subject = await store.subject(ref, tx)
    if (!subject) throw new ApiError('project_not_found')
    return subject
  }

  /** How they follow now; without an answer the page shows what the rows say. */
  async function followingOf(ref: string): Promise<ReadonlyMap<string, Following>> {
    try {
      const found = (await compute?.list(ref, await deps.adminPasswordOf(ref))) ?? []
      return new Map(found.map((one) => [one.id, one]))
    } catch (error) {
      log.warn({ err: error, ref }, 'it is not known how read replicas follow')
      return new Map()
    }
  }

  async function shown(ref: string, identifier: string): Promise<Replica> {
    const row = await store.find((await subjectOf(ref)).id, identifier)
    if (!row) throw new ApiError('replica_not_found')
    return shape(row, (await followingOf(ref)).get(identifier))
  }

  /** Why a project cannot have another one. */
  function refuse(subject: Subject, count: number): void {
    if (planOfTier[subject.tier] === 'free')
      throw new ApiError('plan_limit', 'Read replicas are available on the Pro plan and above')
    if (subject.status !== 'ACTIVE_HEALTHY')
      throw new ApiError(
        'project_busy',
        'The project has to be running to have a read replica made',
      )
    const { compute_size: size } = subject
    if (!mayHaveReplicas(size))
      throw new ApiError(
        'compute_too_small',
        `Read replicas need the compute size ${computeSizes[smallestReplicaSize].label} or larger`,
      )
    if (count >= maxReplicas(size))
      throw new ApiError(
        'plan_limit',
        `A project of this compute size can have up to ${maxReplicas(size)} read replicas`,
      )
  }

  const write = (
    tx: Tx,
    of: { organization_id: string; ref: string },
    by: By | undefined,
    action: string,
    change: Record<string, unknown>,
  ) =>
    deps.record(tx, {
      organizationId: of.organization_id,
      actor: by?.caller ?? null,
      action: `replicas.${action}`,
      target: `project:${of.ref}`,
      change,
      origin: by?.origin ?? null,
    })

  /** Accepts what is to be done to one at rest; false: something is being done to it. */
  async function order(row: ReplicaOfProject, deed: Deed, by?: By): Promise<boolean> {
    const job = await store.transaction(async (tx) => {
      const accepted = await deps.acceptJob(tx, `replica.${deed}`, row.ref)
      if (!(await store.take(tx, row.id, accepted.id, deeds[deed]))) return undefined
      await write(tx, row, by, deed === 'drop' ? 'remove' : by ? 'restart' : 'remake', {
        replica: row.identifier,
        before: { status: row.status },
        after: { status: deeds[deed] },
      })
      await deps.notify(tx, row.ref)
      return accepted
    })
    if (!job) return false
    await deps.startJob(job)
    return true
  }

  async function ordered(by: By, ref: string, identifier: string, deed: Deed): Promise<Replica> {
    if (!compute) throw new ApiError('not_on_this_installation')
    const subject = await subjectOf(ref)
    const row = await store.find(subject.id, identifier)
    if (!row) throw new ApiError('replica_not_found')
    if (deed === 'restart' && subject.status !== 'ACTIVE_HEALTHY')
      throw new ApiError('project_busy', 'The project is not running')
    // One that was never whole has nothing to start.
    const isWhole = row.status !== 'INIT_READ_REPLICA_FAILED'
    const isOrdered = await order(row, deed === 'restart' && !isWhole ? 'make' : deed, by)
    if (!isOrdered) throw new ApiError('replica_busy')
    return shown(ref, identifier)
  }

  /** Takes a project that runs, or whose server does not come up, together with the replica that it is to go on as. */
  async function promote(
    by: By,
    ref: string,
    identifier: string,
    force: boolean,
  ): Promise<Replica> {
    if (!compute) throw new ApiError('not_on_this_installation')
    const subject = await subjectOf(ref)
    const row = await store.find(subject.id, identifier)
    if (!row) throw new ApiError('replica_not_found')
    if (row.made_at === null)
      throw new ApiError('replica_busy', 'The replica never finished its first copy')
    if (!force && subject.status !== 'ACTIVE_HEALTHY')
      throw new ApiError(
        'project_busy',
        'The primary does not run. Promote the replica by force, or wait until the primary is back',
      )
    const from = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY'] as const
    const job = await store.transaction(async (tx) => {
      const name = force ? 'project.promote-by-force' : 'project.promote'
      const accepted = await deps.acceptJob(tx, name, ref)
      if (!(await store.take(tx, row.id, accepted.id, 'RESTARTING')))
        throw new ApiError('replica_busy')
      const order = { nextJob: accepted.id }
      if (!(await deps.projects.transition(tx, ref, from, 'RESTARTING', order)))
        throw new ApiError('project_busy')
      await write(tx, row, by, 'promote', {
        replica: identifier,
        force,
        before: { status: subject.status },
        after: { status: 'RESTARTING' },
      })
      return accepted
    })
    await deps.startJob(job)
    return shown(ref, identifier)
  }

  return {
    order,
    promote,

    /** Where those are that were made, for the services of the project. */
    async forService(projectId: string) {
      const rows = await store.list(projectId)
      return rows.flatMap(({ identifier, db_address: address, status }) =>
        address && (status === 'ACTIVE_HEALTHY' || status === 'RESTARTING')
          ? [{ identifier, host: address.host, port: address.port }]
          : [],
      )
    },

    async list(ref: string): Promise<Replicas> {
      const subject = await subjectOf(ref)
      const rows = await store.list(subject.id)
      const following = rows.length === 0 ? new Map() : await followingOf(ref)
      return {
        replicas: rows.map((row) => shape(row, following.get(row.identifier))),
        plan: planOfTier[subject.tier],
        size: subject.compute_size,
        available: compute !== undefined,
      }
    },

    async create(by: By, ref: string): Promise<Replica> {
      if (!compute) throw new ApiError('not_on_this_installation')
      const identifier = newIdentifier()
      const job = await store.transaction(async (tx) => {
        // Who makes two at once makes them one after the other, or both would be the last one.
        await store.lock(tx, ref)
        const subject = await subjectOf(ref, tx)
        refuse(subject, (await store.list(subject.id, tx)).length)
        const accepted = await deps.acceptJob(tx, 'replica.make', ref)
        const row = {
          project_id: subject.id,
          identifier,
          job_id: accepted.id,
          created_by: by.caller.userId,
        }
        if (!(await store.insert(tx, row)))
          throw new ApiError('replica_busy', 'This name is already in use. Try again')
        await write(tx, subject, by, 'create', { after: { replica: identifier } })
        return accepted
      })
      await deps.startJob(job)
      return shown(ref, identifier)
    },

    restart: (by: By, ref: string, identifier: string) => ordered(by, ref, identifier, 'restart'),
    remove: (by: By, ref: string, identifier: string) => ordered(by, ref, identifier, 'drop'),
  }
}
export type ReplicasOf = ReturnType<typeof createReplicas>

function shape(row: ReplicaRow, following: Following | undefined): Replica {
  const isMade = row.status === 'ACTIVE_HEALTHY'
  return {
    identifier: row.identifier,
    status: row.status,
    state: isMade ? (following?.state ?? null) : null,
    reason: row.failure ?? (isMade ? (following?.reason ?? null) : null),
    lag_bytes: (isMade ? following?.lagBytes : undefined) ?? null,
    lag_seconds: (isMade ? following?.lagSeconds : undefined) ?? null,
    created_at: row.created_at.toISOString(),
  }
}
