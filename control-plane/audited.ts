import { createLimiter, createMutex, perKey } from '#kit/concurrency'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Db, Tx } from './platform-database/database.ts'
import { lockProject, type LockedProject } from './platform-database/lock-project.ts'
import type { RecordChange } from './organizations/audit/audit.ts'

/** Who changes which project, and where the request came from. */
export type By = { caller: Caller; ref: string; origin: Origin }

/**
 * So many changes are in a transaction at a time, of one person and of all together. What they ask of the project's own database
 * takes as long as its owner likes: of the twenty connections of the platform database the rest stays for everybody else.
 */
const [ofOnePerson, ofAll] = [3, 12]

type Made = {
  change?: Record<string, unknown> | undefined
  last?: () => Promise<void>
}

/**
 * One change of a project: while nobody else changes it, in one transaction with its audit entry and the notice to the data
 * planes. `work` returns as `change` what the entry says; without it nothing has changed, and neither is written. `last` is
 * done after that, just before the transaction ends: what cannot be taken back when one of them fails.
 * `first` is done before it begins, and stays whatever becomes of it.
 * Changes of one project, and of one person, wait for each other before they take a connection to the platform database:
 * however many of them come at once, and however slow the databases of projects make them, nobody else waits for a connection.
 * @throws ApiError project_not_found
 */
export type Audited = <T extends Made>(
  by: By,
  action: string,
  work: (tx: Tx, project: LockedProject) => Promise<T>,
  first?: () => Promise<void>,
) => Promise<T>

type Deps = {
  db: Db
  record: RecordChange
  /** Notifies the data planes when the transaction commits. */
  notify: (tx: Tx, ref: string) => Promise<void>
}

export function createAudited({ db, record, notify }: Deps): Audited {
  const oneAtATime = perKey(createMutex)
  const fewOfOne = perKey(() => createLimiter({ concurrency: ofOnePerson }))
  const fewOfAll = createLimiter({ concurrency: ofAll })

  return ({ caller, ref, origin }, action, work, first) => {
    const change = () =>
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
        await made.last?.()
        return made
      })
    return oneAtATime(ref, async () => {
      await first?.()
      return fewOfOne(caller.userId, () => fewOfAll(change))
    })
  }
}
