import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import { ApiError } from '#kit/errors'
import type { Job } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { Insertable } from 'kysely'
import type { Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import { projectIdentity, type ProjectSecrets } from './keys.ts'
import type { ProjectStore } from './store.ts'

export type NewProjectDeps = {
  store: Pick<ProjectStore, 'insert'>
  acceptJob: AcceptJob
  secrets: Secrets
  /** Version of the databases that are made now, such as 17.10. */
  dbVersion: string
  /** Which compute size a new project of an organization gets. @throws ApiError when it can have none */
  admit: (
    tx: Tx,
    input: { organizationId: string; callerId: string; size: ComputeSizeId | undefined },
  ) => Promise<ComputeSizeId>
  /** The keys that are no tokens. */
  addApiKeys: (tx: Tx, projectId: string) => Promise<void>
}

type NewProject = Pick<
  Insertable<Tables['platform.projects']>,
  'ref' | 'name' | 'region' | 'cloud_provider' | 'listen_port' | 'sealing_ref' | 'new_tables'
> & {
  organizationId: string
  callerId: string
  size: ComputeSizeId | undefined
  made: ProjectSecrets
}

/** Writes the row of a project that `job` is to make; the job is started after `tx`. */
export const createNewProject =
  (deps: NewProjectDeps) =>
  async (
    tx: Tx,
    job: 'project.create' | 'project.clone' | 'project.copy' | 'project.resume',
    { organizationId, callerId, size, made, ...row }: NewProject,
  ): Promise<{ id: string; job: Job }> => {
    const compute_size = await deps.admit(tx, { organizationId, callerId, size })
    const accepted = await deps.acceptJob(tx, job, row.ref)
    const inserted = await deps.store.insert(tx, {
      ...row,
      organization_id: organizationId,
      // One that is to be resumed is there already.
      status: job === 'project.resume' ? 'RESTORING' : 'COMING_UP',
      job_id: accepted.id,
      failure: null,
      compute_size,
      db_version: deps.dbVersion,
      sealed_secrets: deps.secrets.seal(JSON.stringify(made), projectIdentity(row.ref)),
      db_address: null,
    })
    if (!inserted) throw new ApiError('name_taken')
    await deps.addApiKeys(tx, inserted.id)
    return { id: inserted.id, job: accepted }
  }
export type InsertProject = ReturnType<typeof createNewProject>
