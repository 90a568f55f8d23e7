import { randomBytes } from 'node:crypto'
import type { Output } from '#contract/endpoint'
import type { DryRun, dryRuns as api } from '#contract/projects/dry-runs'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { newProjectRef } from '#kit/ids'
import { lockProject } from '../../../platform-database/lock-project.ts'
import type { BranchDeps } from '../branches.ts'
import type { ToTry } from '../merging.ts'
import type { Found } from '../ordering.ts'
import { projectNameOf } from '../shape.ts'
import { dryRunJob, type DryRunRow, type DryRunStore } from './dry-runs-store.ts'

type Deps = Pick<BranchDeps, 'copies' | 'newProject' | 'record' | 'acceptJob' | 'startJob'> & {
  store: DryRunStore
  transaction: BranchDeps['store']['transaction']
  find: (ref: string, id: string) => Promise<Found>
  /** What a merge of the branch would run now. @throws ApiError where it would be refused for what main has */
  toTry: (found: Found) => Promise<ToTry>
}
export type DryRuns = ReturnType<typeof createDryRuns>

/** As long as its copy is there, it is under way. */
const shown = (row: DryRunRow): DryRun => {
  const isOver = row.finished_at !== null
  return {
    id: row.id,
    state: isOver ? row.state : 'running',
    copied: row.copied,
    digest: row.digest,
    failure: isOver ? row.failure : null,
    migrations: isOver ? row.migrations : [],
    started_by: row.ordered_by_email,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

/** The rules of dry runs: one at a time for a project, of what a merge would run at this moment. */
export function createDryRuns({ store, find, toTry, copies, ...deps }: Deps) {
  return {
    async get(ref: string, id: string): Promise<Output<typeof api.get>> {
      const { row } = await find(ref, id)
      const last = await store.last(row.id)
      return { dry_run: last ? shown(last) : null }
    },

    async start(caller: Caller, ref: string, id: string, origin: Origin): Promise<DryRun> {
      const found = await find(ref, id)
      const { parent, row } = found
      if (row.job_id !== null) throw new ApiError('branch_busy')
      const { digest, migrations } = await toTry(found)
      if (migrations.length === 0)
        throw new ApiError('invalid_input', 'The branch has no migration that main lacks')
      const copyRef = newProjectRef()
      const write = await deps.newProject({
        ...(copies && { sealing_ref: parent.sealing_ref ?? parent.ref }),
        ref: copyRef,
        name: projectNameOf(parent.name, `dry run ${copyRef}`),
        organizationId: parent.organization_id,
        callerId: caller.userId,
        region: parent.region,
        cloud_provider: parent.cloud_provider,
        password: randomBytes(24).toString('base64url'),
      })
      const made = await deps.transaction(async (tx) => {
        const locked = await lockProject(tx, parent.ref)
        if (locked?.organization_id !== parent.organization_id)
          throw new ApiError('project_not_found')
        if (await store.isRunning(tx, parent.id)) throw new ApiError('dry_run_running')
        const copy = await write(tx)
        await store.markCopy(tx, copy.id, parent.id)
        const changes = { rows: true, masks: [] }
        await copies?.order(tx, { projectId: copy.id, sourceId: parent.id, changes })
        const job = await deps.acceptJob(tx, dryRunJob, copyRef)
        const inserted = await store.insert(tx, {
          parent_id: parent.id,
          branch_id: row.id,
          copy_ref: copyRef,
          copied: copies ? 'data' : 'migrations',
          digest,
          ordered_by: caller.userId,
          ordered_by_email: caller.email,
        })
        if (!inserted) throw new ApiError('dry_run_running')
        await deps.record(tx, {
          organizationId: parent.organization_id,
          actor: caller,
          action: 'dryRuns.start',
          target: `project:${parent.ref}`,
          change: { branch: row.name, ref: row.ref },
          origin,
        })
        return { row: inserted, jobs: [copy.job, job] }
      })
      for (const job of made.jobs) await deps.startJob(job)
      return shown(made.row)
    },
  }
}
