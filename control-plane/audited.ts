import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Db, Tx } from './platform-database/database.ts'
import { lockProject, type LockedProject } from './platform-database/lock-project.ts'
import type { RecordChange } from './organizations/audit/audit.ts'

/** Who changes which project, and where the request came from. */
export type By = { caller: Caller; ref: string; origin: Origin }

/**
 * One change of a project: while nobody else changes it, in one transaction with its audit entry and the notice to the data
 * planes. `work` returns as `change` what the entry says; without it nothing has changed, and neither is written.
 * @throws ApiError project_not_found
 */
export type Audited = <T extends { change?: Record<string, unknown> | undefined }>(
  by: By,
  action: string,
  work: (tx: Tx, project: LockedProject) => Promise<T>,
) => Promise<T>

type Deps = {
  db: Db
  record: RecordChange
  /** Notifies the data planes when the transaction commits. */
  notify: (tx: Tx, ref: string) => Promise<void>
}

export const createAudited =
  ({ db, record, notify }: Deps): Audited =>
  ({ caller, ref, origin }, action, work) =>
    db.transaction().execute(async (tx) => {
      const project = await lockProject(tx, ref)
      if (!project) throw new ApiError('project_not_found')
      const made = await work(tx, project)
      if (!made.change) return made
      await record(tx, {
        organizationId: project.organization_id,
        actor: caller,
        action,
        target: `project:${ref}`,
        change: made.change,
        origin,
      })
      await notify(tx, ref)
      return made
    })
