import { randomUUID } from 'node:crypto'
import type { Provider } from '#compute/provider'
import { planOfTier } from '#contract/billing/plans'
import {
  lackOf,
  needsRestart,
  resizeCoolDownMinutes,
  type Compute,
  type Machine,
  type Resize,
} from '#contract/projects/compute-resize'
import {
  computeSizeIds,
  computeSizes,
  offersSize,
  smallestSize,
  type ComputeSizeId,
} from '#contract/projects/compute-sizes'
import { maxReplicas } from '#contract/projects/replicas'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Platform } from '../../platform.ts'
import type { ComputeStore, ResizeRow, Subject } from './store.ts'

type By = { caller: Caller; origin: Origin }
type Deps = {
  store: ComputeStore
  projects: Pick<Platform['projects'], 'transition'>
  compute: Pick<Provider, 'resize' | 'capacity'>
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  /** @throws ApiError where the organization may not have the project running */
  admit: (tx: Tx, input: { organizationId: string; callerId: string; ref: string }) => Promise<void>
  each: EachSubject
  now: () => Date
}

const coolDownMs = resizeCoolDownMinutes * 60_000
const rank = (size: ComputeSizeId) => computeSizeIds.indexOf(size)

const sizeOf = (variant: string): ComputeSizeId => {
  const size = computeSizeIds.find((id) => `ci_${id}` === variant)
  if (!size) throw new ApiError('invalid_input', `There is no compute size ${variant}`)
  return size
}

/** Why a project of this plan cannot have this size. */
function refusePlan({ tier }: Subject, size: ComputeSizeId): void {
  const plan = planOfTier[tier]
  if (offersSize(plan, size)) return
  const { label } = computeSizes[size]
  throw new ApiError(
    'plan_limit',
    plan === 'free'
      ? `The Free plan does not include ${label} compute. Upgrade the plan of the organization`
      : `${label} compute is part of the Free plan alone`,
  )
}

/** The rules by which a project gets another compute size. Carrying it out is a durable job (resizing.ts). */
export function createResizes(deps: Deps) {
  const { store, projects, compute, now } = deps

  const machine = (): Machine | null => {
    const found = compute.resize && compute.capacity?.()
    return found ? { memory_bytes: found.memoryBytes, cores: found.cores } : null
  }
  function coolDownEnd(changed: Date | undefined): Date | null {
    const until = changed && new Date(changed.getTime() + coolDownMs)
    return until && until > now() ? until : null
  }

  const write = (
    tx: Tx,
    subject: Subject,
    by: By | undefined,
    action: string,
    change: Record<string, unknown>,
  ) =>
    deps.record(tx, {
      organizationId: subject.organization_id,
      actor: by?.caller ?? null,
      action,
      target: `project:${subject.ref}`,
      change: { name: subject.name, ...change },
      origin: by?.origin ?? null,
    })

  async function accept(
    tx: Tx,
    subject: Subject,
    size: ComputeSizeId,
    by: By | undefined,
  ): Promise<Job> {
    const job = await deps.acceptJob(tx, 'project.resize', subject.ref)
    const order = { nextJob: job.id }
    if (!(await projects.transition(tx, subject.ref, ['ACTIVE_HEALTHY'], 'RESIZING', order)))
      throw new ApiError('project_busy')
    await store.insert(tx, job.id, {
      project_id: subject.id,
      from_size: subject.compute_size,
      to_size: size,
      ordered_at: now(),
    })
    await write(tx, subject, by, 'projects.resize', {
      before: { status: subject.status, size: subject.compute_size },
      after: { status: 'RESIZING', size },
    })
    return job
  }

  /** The server has what the size gives already. It needs no job, during which the project would answer nobody. */
  async function priceAlone(tx: Tx, subject: Subject, size: ComputeSizeId): Promise<undefined> {
    if (subject.status !== 'ACTIVE_HEALTHY') throw new ApiError('project_busy')
    const [id, at] = [randomUUID(), now()]
    const { id: project_id, compute_size: from_size } = subject
    await store.insert(tx, id, { project_id, from_size, to_size: size, ordered_at: at })
    await store.setSize(tx, project_id, size)
    await store.end(tx, id, { at, outcome: 'resized', failure: null, down_ms: null })
    return undefined
  }

  async function refuse(tx: Tx, subject: Subject, size: ComputeSizeId): Promise<void> {
    refusePlan(subject, size)
    const available = machine()
    if (!available) throw new ApiError('not_on_this_installation')
    const lack = lackOf(size, available)
    if (lack)
      throw new ApiError('compute_not_here', `${lack}: ${computeSizes[size].label} needs more`)
    if (subject.recovery && rank(size) < rank('small'))
      throw new ApiError(
        'compute_too_small',
        'Point in time recovery needs the compute size Small or larger. Switch it off first',
      )
    if (subject.replicas > maxReplicas(size))
      throw new ApiError(
        'compute_too_small',
        `The project has ${subject.replicas} read ${subject.replicas === 1 ? 'replica' : 'replicas'}, and can have ${maxReplicas(size)} with ${computeSizes[size].label} compute. Drop what is too many first`,
      )
    const until = coolDownEnd(await store.lastChange(subject.id, tx))
    if (until)
      throw new ApiError(
        'resized_recently',
        `The compute size was changed less than ${resizeCoolDownMinutes} minutes ago. Try again after ${until.toISOString()}`,
        Math.ceil((until.getTime() - now().getTime()) / 1000),
      )
  }

  async function change(
    action: string,
    by: By,
    ref: string,
    chosen: (of: Subject) => ComputeSizeId,
  ) {
    const job = await store.transaction(async (tx) => {
      await store.lock(tx, ref)
      const subject = await store.subject(ref, tx)
      if (!subject) throw new ApiError('project_not_found')
      const { organization_id: organizationId, compute_size: before } = subject
      const size = chosen(subject)
      await deps.admit(tx, { organizationId, callerId: by.caller.userId, ref })
      if (size === before) return undefined
      await refuse(tx, subject, size)
      const accepted = needsRestart(before, size)
        ? await accept(tx, subject, size, by)
        : await priceAlone(tx, subject, size)
      await write(tx, subject, by, action, {
        before: { variant: `ci_${before}` },
        after: { variant: `ci_${size}` },
      })
      return accepted
    })
    if (job) await deps.startJob(job)
  }

  return {
    async get(ref: string): Promise<Compute> {
      const state = await store.state(ref)
      if (!state) throw new ApiError('project_not_found')
      const { subject, last, changed } = state
      return {
        size: subject.compute_size,
        plan: planOfTier[subject.tier],
        machine: machine(),
        recovery: subject.recovery,
        cool_down_until: coolDownEnd(changed)?.toISOString() ?? null,
        last_resize: last ? shape(last) : null,
      }
    },

    set: (action: string, by: By, ref: string, variant: string) => {
      const size = sizeOf(variant)
      return change(action, by, ref, () => size)
    },

    /** Back to the smallest size of the plan. */
    remove: (action: string, by: By, ref: string, variant: string) => {
      const size = sizeOf(variant)
      return change(action, by, ref, ({ compute_size: now, tier }) => {
        const smallest = smallestSize(planOfTier[tier])
        if (now !== size)
          throw new ApiError('not_found', 'The project does not have this compute size')
        if (now === smallest || rank(now) < rank(smallest))
          throw new ApiError(
            'invalid_input',
            `${computeSizes[now].label} is the smallest compute size of this plan`,
          )
        return smallest
      })
    },

    /** Gives servers whose change was broken off the size that their row has. */
    async settleLeftBehind(): Promise<void> {
      await deps.each(
        'sizes to settle',
        await store.leftBehind(),
        ({ ref }) => ref,
        async ({ ref, jobId }) => {
          const job = await store.transaction(async (tx) => {
            await store.lock(tx, ref)
            const subject = await store.subject(ref, tx)
            if (!subject) return undefined
            const failure = 'It was broken off'
            await store.end(tx, jobId, { at: now(), outcome: 'kept', failure, down_ms: null })
            return accept(tx, subject, subject.compute_size, undefined)
          })
          if (job) await deps.startJob(job)
        },
      )
    },
  }
}
export type Resizes = ReturnType<typeof createResizes>

const shape = (row: ResizeRow): Resize => ({
  from: row.from_size,
  to: row.to_size,
  ordered_at: row.ordered_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  outcome: row.outcome,
  failure: row.failure,
  down_ms: row.down_ms,
})
