import { randomBytes } from 'node:crypto'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier } from '#contract/billing/plans'
import type { Output, Parsed } from '#contract/endpoint'
import {
  maxBranches,
  type Branch,
  type branches as api,
  type BranchSettings,
  type BranchStart,
} from '#contract/projects/branches'
import { movesInto } from '#contract/projects/project-status'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { newProjectRef } from '#kit/ids'
import type { CopyChanges } from '#compute/provider'
import type { Job, Step } from '#kit/jobs'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Platform } from '../../platform.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import type { Databases } from './databases.ts'
import type { BranchFunctions } from './branch-functions.ts'
import { createMerging } from './merging.ts'
import { createOrder, orderedBy } from './ordering.ts'
import { createParentOf, mainOf, projectNameOf, shape } from './shape.ts'
import type { BranchRow, BranchStore, Parent } from './store.ts'
import type { Travel } from './travel/areas.ts'

export type NewProject = {
  ref: string
  name: string
  organizationId: string
  callerId: string
  region: string
  cloud_provider: string
  password: string
  /** With whose database it begins: under this name the secrets in there are sealed. Absent: it begins empty. */
  sealing_ref?: string
}
/** Copies of running projects; absent where the servers are somebody else's. */
export type Copies = {
  /** Copies have all rows as they are: they cannot be made without rows, or with masked columns. */
  wholeOnly(): boolean
  order(tx: Tx, of: { projectId: string; sourceId: string; changes: CopyChanges }): Promise<void>
  /** Undefined when it is made, else why not. */
  make(job: Job, step: Step): Promise<string | undefined>
  last(ref: string): Promise<{ restored_to: Date; changes: CopyChanges } | undefined>
}
export type BranchDeps = {
  store: BranchStore
  databases: Databases
  functions: BranchFunctions
  travel: Travel
  checkApprovals: Parameters<typeof createMerging>[0]['checkApprovals']
  move: Platform['projects']['transition']
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  copies: Copies | undefined
  settings: (parent: Parent) => Promise<BranchSettings>
  /** Writes the row of a project that a job is to make. */
  newProject: (project: NewProject) => Promise<(tx: Tx) => Promise<{ id: string; job: Job }>>
  removeProject: (caller: Caller, ref: string, origin: Origin) => Promise<unknown>
}
export type Branches = ReturnType<typeof createBranches>

const planNeeded = 'Branches are available on the Pro plan and above'
const noCopies =
  'Databases cannot be copied on this installation: a branch begins with the migrations of main'
const wholeCopiesOnly =
  'Copies have all rows as they are on this installation: a branch begins with the migrations of main, or with all of its data and no masked column'
/** Enough that nobody guesses it; who wants to know it sets one of their own. */
const newPassword = () => randomBytes(24).toString('base64url')

/** The rules of branches: what is done to them is a durable job, one at a time for each. */
export function createBranches(deps: BranchDeps) {
  const { store, acceptJob } = deps

  const parentOf = createParentOf(store)

  /** What is ordered with a branch that begins as a copy of main; undefined: it begins with its migrations. */
  async function copyFor(parent: Parent, start: BranchStart) {
    if (start === 'migrations') return undefined
    const { copies } = deps
    if (!copies) throw new ApiError('platform_only', noCopies)
    const rows = start === 'data'
    // Nothing is left that could be masked where there are no rows.
    const changes = { rows, masks: rows ? (await deps.settings(parent)).masks : [] }
    if (copies.wholeOnly() && (!rows || changes.masks.length > 0))
      throw new ApiError('platform_only', wholeCopiesOnly)
    return (tx: Tx, projectId: string) =>
      copies.order(tx, { projectId, sourceId: parent.id, changes })
  }
  async function find(ref: string, id: string): Promise<{ parent: Parent; row: BranchRow }> {
    const parent = await parentOf(ref)
    const row = await store.find(parent.id, id)
    if (!row) throw new ApiError('branch_not_found')
    return { parent, row }
  }
  const get = async (ref: string, id: string): Promise<Branch> => shape((await find(ref, id)).row)
  const order = createOrder({ ...deps, get })

  return {
    get,
    find,
    findAny: store.findAny,
    ...createMerging({ ...deps, find, order }),

    async list(ref: string): Promise<Output<typeof api.list>> {
      const parent = await parentOf(ref)
      return { branches: [mainOf(parent), ...(await store.list(parent.id)).map(shape)] }
    },

    async create(caller: Caller, input: Parsed<typeof api.create>, origin: Origin) {
      const parent = await parentOf(input.ref)
      if (!hasFeature(planOfTier[parent.tier], 'database.branching'))
        throw new ApiError('plan_limit', planNeeded)
      if (parent.status !== 'ACTIVE_HEALTHY')
        throw new ApiError('project_busy', 'The project must be running to create a branch of it')
      const { starts_with } = input
      const copy = await copyFor(parent, starts_with)
      const ref = newProjectRef()
      const write = await deps.newProject({
        ...(copy && { sealing_ref: parent.sealing_ref ?? parent.ref }),
        ref,
        name: projectNameOf(parent.name, input.name),
        organizationId: parent.organization_id,
        callerId: caller.userId,
        region: parent.region,
        cloud_provider: parent.cloud_provider,
        password: newPassword(),
      })
      const made = await store.transaction(async (tx) => {
        // Who makes two at once makes them one after the other, or both would be the last one.
        const locked = await lockProject(tx, parent.ref)
        if (locked?.organization_id !== parent.organization_id)
          throw new ApiError('project_not_found')
        const all = await store.list(parent.id, tx)
        if (all.some(({ name }) => name.toLowerCase() === input.name.toLowerCase()))
          throw new ApiError('name_taken', `There is a branch called ${input.name}`)
        if (all.length >= maxBranches)
          throw new ApiError('invalid_input', `A project can have up to ${maxBranches} branches`)
        const project = await write(tx)
        await store.setParent(tx, project.id, parent.id)
        await copy?.(tx, project.id)
        const prepare = await acceptJob(tx, 'branch.prepare', ref)
        const inserted = await store.insert(tx, {
          project_id: project.id,
          parent_id: parent.id,
          name: input.name,
          git_branch: input.git_branch,
          persistent: input.persistent,
          starts_with,
          with_data: starts_with === 'data',
          ordered: JSON.stringify({ by: orderedBy(caller, origin) }),
          created_by: caller.userId,
          ordered_by: caller.email,
          job_id: prepare.id,
        })
        if (!inserted) throw new ApiError('name_taken', `There is a branch called ${input.name}`)
        await deps.record(tx, {
          organizationId: parent.organization_id,
          actor: caller,
          action: 'branches.create',
          target: `project:${parent.ref}`,
          change: { after: { branch: input.name, ref, persistent: input.persistent, starts_with } },
          origin,
        })
        return { id: inserted.id, jobs: [project.job, prepare] }
      })
      for (const job of made.jobs) await deps.startJob(job)
      return get(parent.ref, made.id)
    },

    async update(caller: Caller, input: Parsed<typeof api.update>, origin: Origin) {
      const { parent, row } = await find(input.ref, input.id)
      const { name = row.name, persistent = row.persistent, git_branch = row.git_branch } = input
      await store.transaction(async (tx) => {
        await lockProject(tx, parent.ref)
        if (await store.nameTaken(tx, parent.id, name, row.id))
          throw new ApiError('name_taken', `There is a branch called ${name}`)
        await store.update(tx, row.id, { name, persistent, git_branch })
        await deps.record(tx, {
          organizationId: parent.organization_id,
          actor: caller,
          action: 'branches.update',
          target: `project:${parent.ref}`,
          change: {
            before: { name: row.name, persistent: row.persistent, git_branch: row.git_branch },
            after: { name, persistent, git_branch },
          },
          origin,
        })
      })
      return get(parent.ref, row.id)
    },

    async remove(caller: Caller, ref: string, id: string, origin: Origin): Promise<Branch> {
      const { row } = await find(ref, id)
      await deps.removeProject(caller, row.ref, origin)
      return { ...shape(row), preview_project_status: 'GOING_DOWN' }
    },

    async steps(ref: string, id: string): Promise<Output<typeof api.steps>> {
      const { row } = await find(ref, id)
      return {
        steps: (await store.steps(row.id)).map(({ at, ...step }) => ({
          at: at.toISOString(),
          ...step,
        })),
      }
    },

    async reset(caller: Caller, ref: string, id: string, origin: Origin): Promise<Branch> {
      const found = await find(ref, id)
      if (found.row.parent_status !== 'ACTIVE_HEALTHY')
        throw new ApiError('project_busy', 'The project of this branch is not running')
      const copy = await copyFor(found.parent, found.row.starts_with)
      const by = orderedBy(caller, origin)
      return order(caller, found, 'branch.reset', { by }, async (tx, job) => {
        await copy?.(tx, found.row.project_id)
        const from = movesInto('RESTORING').filter((status) => status !== 'INACTIVE')
        const moved = await deps.move(tx, found.row.ref, from, 'RESTORING', { nextJob: job.id })
        if (!moved) throw new ApiError('project_busy')
      })
    },
  }
}
