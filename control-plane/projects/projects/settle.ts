import type { ProjectStatus } from '#contract/projects/project-status'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import { projectIdentity } from './keys.ts'
import type { Move, ProjectStore } from './store.ts'

export type Settle = (
  ref: string,
  from: ProjectStatus,
  to: ProjectStatus,
  move: Move,
) => ReturnType<ProjectStore['transition']>

/**
 * Moves a project at the end of what was ordered. A failure stands in the audit log with the move, or neither does, and
 * whoever looks after the organization is told. Undefined when someone else moved it first.
 */
export const createSettle =
  ({ store, record }: { store: ProjectStore; record: RecordChange }): Settle =>
  (ref, from, to, move) =>
    store.transaction(async (tx) => {
      const row = await store.transition(tx, ref, [from], to, move)
      if (row && move.failure !== undefined)
        await record(tx, {
          organizationId: row.organization_id,
          actor: null,
          action: 'projects.fail',
          target: projectIdentity(ref),
          change: {
            name: row.name,
            before: { status: from },
            after: { status: to, failure: move.failure },
          },
          origin: null,
        })
      return row
    })
