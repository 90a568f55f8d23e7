import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier } from '#contract/billing/plans'
import type { Output, Parsed } from '#contract/endpoint'
import { allows } from '#contract/permissions'
import { maxBranches } from '#contract/projects/branches'
import { trashRights, type trash as api, type TrashedProject } from '#contract/projects/trash'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { Access } from '../../access/access.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Clash, TrashRow, TrashStore, Waiting } from './store.ts'

export type TrashDeps = {
  store: TrashStore
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  access: Pick<Access, 'can' | 'rowsWithin'>
  /** @throws ApiError where the organization may not have the project running */
  admit: (tx: Tx, input: { organizationId: string; callerId: string; ref: string }) => Promise<void>
  /** Whether the disk of the servers has more left than it keeps in reserve. */
  hasSpace: () => Promise<boolean>
  each: EachSubject
  now: () => Date
}
export type Trash = ReturnType<typeof createTrash>
type By = { caller: Caller; origin: Origin }
type Place = { slug: string; ref: string }

const gone = 'This project is not in the trash. It was restored or removed for good'
const resourceOf = (isBranch: boolean) => trashRights[isBranch ? 'branch' : 'project']

/** Deleted projects, which wait: brought back, or removed for good by somebody or when their time is over. */
export function createTrash(deps: TrashDeps) {
  const { store, record, acceptJob, access, now } = deps

  /** Whoever may delete it may bring it back; who may not see it hears that it is not there. */
  async function checkRight({ caller }: By, { slug, ref }: Place): Promise<void> {
    const found = await store.find(slug, ref)
    if (found?.status === 'GOING_DOWN') throw new ApiError('project_busy')
    const inTrash = { inTrash: true }
    if (!found || !(await access.can(caller, ref, 'read:Read', 'projects', inTrash)))
      throw new ApiError('project_not_found', gone)
    const resource = resourceOf(found.parent_id !== null)
    if (!(await access.can(caller, ref, 'write:Delete', resource, inTrash)))
      throw new ApiError('not_allowed')
  }
  async function lock(tx: Tx, ref: string): Promise<Waiting> {
    const row = await store.lock(tx, ref)
    if (!row) throw new ApiError('project_busy')
    return row
  }

  /** A branch comes back where it was, if there is a place for it. */
  async function checkParent(tx: Tx, { parent_id: parentId, tier }: Waiting): Promise<void> {
    if (parentId === null) return
    const parent = await store.lockParent(tx, parentId)
    if (!parent.isThere)
      throw new ApiError('parent_deleted', `Restore ${parent.name} first: this is a branch of it`)
    if (!hasFeature(planOfTier[tier], 'database.branching'))
      throw new ApiError('plan_limit', 'Branches are available on the Pro plan and above')
    if ((await store.branchesOf(tx, parentId)) >= maxBranches)
      throw new ApiError('invalid_input', `A project can have up to ${maxBranches} branches`)
  }

  /** Gives it to a job that removes it for good, with its branches that wait; answers with the jobs. */
  async function removeAll(tx: Tx, row: Waiting, by: By | undefined): Promise<Job[]> {
    const jobs: Job[] = []
    for (const one of [...(await store.lockBranches(tx, row.id)), row]) {
      const job = await acceptJob(tx, 'project.purge', one.ref)
      await store.give(tx, one.id, job.id)
      const entry = {
        organizationId: one.organization_id,
        target: `project:${one.ref}`,
        change: { before: { name: one.name } },
      }
      if (by)
        await record(tx, {
          ...entry,
          actor: by.caller,
          action: 'trash.remove',
          origin: by.origin,
        })
      else await record(tx, { ...entry, actor: null, action: 'trash.expire', origin: null })
      jobs.push(job)
    }
    return jobs
  }
  const startAll = async (jobs: readonly Job[]) => {
    for (const job of jobs) await deps.startJob(job)
  }

  return {
    async list(caller: Caller, { slug, ...page }: Parsed<typeof api.list>) {
      const { rows, count } = await store.list(slug, caller.userId, page)
      const rights = await store.transaction((tx) => access.rowsWithin(tx, caller.userId, slug))
      const mayRemove = ({ ref, parent_ref }: TrashRow) =>
        allows(rights, 'write:Delete', resourceOf(parent_ref !== null), {
          organizationSlug: slug,
          projectRef: parent_ref ?? ref,
        })
      const projects = rows.map((row) => shape(row, mayRemove(row)))
      return { projects, pagination: { count, ...page } }
    },

    async restore(by: By, place: Place): Promise<Output<typeof api.restore>> {
      await checkRight(by, place)
      const { ref } = place
      const hasSpace = await deps.hasSpace()
      const done = await store.transaction(async (tx) => {
        const row = await lock(tx, ref)
        if (!hasSpace) throw new ApiError('disk_short')
        await checkParent(tx, row)
        const { organization_id: organizationId } = row
        await deps.admit(tx, { organizationId, callerId: by.caller.userId, ref })
        const job = await acceptJob(tx, 'project.bring-back', ref)
        const withAddOns = planOfTier[row.tier] !== 'free'
        const back = await store.bringBack(tx, row, { job: job.id, at: now(), withAddOns })
        if (typeof back === 'string') throw refusal(back, row.name)
        await record(tx, {
          organizationId,
          actor: by.caller,
          action: 'trash.restore',
          target: `project:${ref}`,
          change: { after: { name: row.name } },
          origin: by.origin,
        })
        return { row, job, left: leftOf(row, { ...back, withAddOns }) }
      })
      await deps.startJob(done.job)
      return { ref, name: done.row.name, left: done.left }
    },

    async remove(by: By, place: Place): Promise<Output<typeof api.remove>> {
      await checkRight(by, place)
      const { name, jobs } = await store.transaction(async (tx) => {
        const row = await lock(tx, place.ref)
        return { name: row.name, jobs: await removeAll(tx, row, by) }
      })
      await startAll(jobs)
      return { ref: place.ref, name }
    },

    /** Removes for good whose time is over, and goes on where a removal has given up. */
    async round(): Promise<void> {
      await deps.each(
        'deleted projects whose time is over',
        await store.due(now()),
        ({ ref }) => ref,
        async ({ ref }) => {
          const jobs = await store.transaction(async (tx) => {
            const row = await store.lock(tx, ref)
            return row ? removeAll(tx, row, undefined) : []
          })
          await startAll(jobs)
        },
      )
      await deps.each(
        'deleted projects to remove',
        await store.leftBehind(),
        (ref) => ref,
        async (ref) => {
          const job = await store.transaction(async (tx) => {
            const row = await store.lockLeftBehind(tx, ref)
            if (!row) return undefined
            const accepted = await acceptJob(tx, 'project.purge', ref)
            await store.give(tx, row.id, accepted.id)
            return accepted
          })
          if (job) await deps.startJob(job)
        },
      )
    },
  }
}

const refusal = (clash: Clash, name: string): ApiError =>
  clash === 'port'
    ? new ApiError('port_unavailable')
    : new ApiError(
        'name_taken',
        clash === 'name'
          ? `Another project is called ${name}. Rename it, then restore this one`
          : 'Another branch has the name of this one. Rename it, then restore this one',
      )

/** What has not come back, in words. */
function leftOf(
  { listen_port: port, kept_add_ons: addOns }: Waiting,
  back: { listen_port: number | null; withAddOns: boolean },
): string[] {
  const left: string[] = []
  if (port !== null && back.listen_port === null)
    left.push(`Another project has port ${port} of this machine now`)
  if (addOns.length > 0 && !back.withAddOns) left.push('The Free plan does not include its add-ons')
  return left
}

const stateOf = ({ status, job_id: job }: TrashRow): TrashedProject['state'] => {
  if (status === 'GOING_DOWN') return 'stopping'
  return job === null ? 'waiting' : 'removing'
}

const shape = (row: TrashRow, allowed: boolean): TrashedProject => ({
  ref: row.ref,
  name: row.name,
  branch:
    row.parent_ref === null
      ? null
      : {
          name: row.branch_name ?? row.name,
          parent_ref: row.parent_ref,
          parent_name: row.parent_name ?? '',
          parent_deleted: row.parent_status === 'REMOVED' || row.parent_status === 'GOING_DOWN',
        },
  branches: Number(row.branches),
  deleted_by: row.deleted_by,
  deleted_at: row.deleted_at.toISOString(),
  removed_for_good_at: row.removed_for_good_at.toISOString(),
  state: stateOf(row),
  allowed,
})
