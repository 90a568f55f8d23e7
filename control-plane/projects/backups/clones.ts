import type { Output, Parsed } from '#contract/endpoint'
import type { backups as api, Clone } from '#contract/projects/backups'
import { smallestSize, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { planOfTier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { newProjectRef } from '#kit/ids'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { BackupList } from './backups.ts'
import type { RestoreStore } from './restore-store.ts'
import type { Restores } from './restores.ts'
import type { BackupStore, Subject } from './store.ts'
import type { Subjects } from './subjects.ts'

type NewProject = {
  ref: string
  name: string
  organizationId: string
  callerId: string
  size: ComputeSizeId
  region: string
  cloud_provider: string
  sealing_ref: string
  password: string
}
type Deps = {
  store: BackupStore
  restores: RestoreStore
  subjects: Subjects
  list: BackupList['list']
  originsOf: Restores['originsOf']
  record: RecordChange
  /** GB of disk that every project is shown with. */
  volumeSizeGb: number
  /** Writes the row of a project that a job `project.clone` is to make. */
  newProject: (project: NewProject) => Promise<(tx: Tx) => Promise<{ id: string; job: Job }>>
  startJob: (job: Job) => Promise<void>
}

const mayCreate = {
  action: 'write:Create',
  resource: 'projects',
  in: 'organization',
} as const

/** A project that was made on Free and lives on in a paid organization has a size that no new one can have. */
const sizeFor = ({ compute_size, tier }: Subject): ComputeSizeId =>
  compute_size === 'nano' ? smallestSize(planOfTier[tier]) : compute_size

const statusOf = (status: ProjectStatus): Clone['status'] => {
  if (status === 'COMING_UP') return 'IN_PROGRESS'
  if (status === 'INIT_FAILED') return 'FAILED'
  return status === 'REMOVED' ? 'REMOVED' : 'COMPLETED'
}

/** Restores to new projects: of the same organization, with the database of this one. */
export function createClones({ store, restores, subjects, originsOf, ...deps }: Deps) {
  return {
    async cloneable(ref: string): Promise<Output<typeof api.cloneable>> {
      const subject = await subjects.subjectOf(ref)
      return {
        ...(await deps.list(ref)),
        target_compute_size: sizeFor(subject),
        target_volume_size_gb: deps.volumeSizeGb,
      }
    },

    async clones(ref: string): Promise<Output<typeof api.cloneStatus>> {
      const rows = await restores.clonesOf((await subjects.subjectOf(ref)).id)
      return {
        clones: rows.map((row) => ({
          id: Number(row.id),
          inserted_at: row.inserted_at.toISOString(),
          status: statusOf(row.status),
          target_project: { ref: row.ref, name: row.name },
          restored_to: row.restored_to.toISOString(),
        })),
      }
    },

    async clone(caller: Caller, input: Parsed<typeof api.clone>, origin: Origin) {
      const { subject } = await subjects.served(input.ref)
      await caller.authorize(mayCreate, { slug: subject.slug })
      const { cloneBackupId: id, recoveryTimeTarget: at = 0 } = input
      const origins = await originsOf(subject, id === undefined ? { at } : { id })
      const ref = newProjectRef()
      const write = await deps.newProject({
        ref,
        name: input.newProjectName,
        organizationId: subject.organization_id,
        callerId: caller.userId,
        size: sizeFor(subject),
        region: subject.region,
        cloud_provider: subject.cloud_provider,
        sealing_ref: subject.sealing_ref ?? subject.ref,
        password: input.newDbPass,
      })
      const job = await store.transaction(async (tx) => {
        // Whoever transfers the project meanwhile takes its data along.
        const locked = await store.lock(tx, input.ref)
        if (locked?.organization_id !== subject.organization_id) {
          throw new ApiError('project_not_found')
        }
        const made = await write(tx)
        await restores.insert(tx, {
          ...origins,
          project_id: made.id,
          source_id: subject.id,
          came_from: 'COMING_UP',
          safety_id: null,
        })
        await deps.record(tx, {
          organizationId: subject.organization_id,
          actor: caller,
          action: 'backups.clone',
          target: `project:${ref}`,
          change: {
            after: {
              name: input.newProjectName,
              source: subject.ref,
              restored_to: origins.restored_to.toISOString(),
            },
          },
          origin,
        })
        return made.job
      })
      await deps.startJob(job)
      return { ref }
    },
  }
}
export type Clones = ReturnType<typeof createClones>
