import type { ProjectStatus } from '#contract/projects/project-status'
import type { Tx } from '../../platform-database/database.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import { projectIdentity } from './keys.ts'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { Move, ProjectStore } from './store.ts'

export type Settle = (
  ref: string,
  from: ProjectStatus,
  to: ProjectStatus,
  move: Move,
  /** What is written down together with the move, if it is made. */
  also?: (tx: Tx) => Promise<void>,
) => ReturnType<ProjectStore['transition']>

type Deps = {
  store: ProjectStore
  record: RecordChange
  /** Has the port of a database opened at which people reach it; answers with the address that the server has then. */
  openPort: (ref: string, address: ProjectAddress) => Promise<ProjectAddress>
}

/**
 * Moves a project at the end of what was ordered. A failure stands in the audit log with the move, or neither does, and
 * whoever looks after the organization is told. Undefined when someone else moved it first.
 */
export const createSettle =
  ({ store, record, openPort }: Deps): Settle =>
  async (ref, from, to, move, also) => {
    // Who hears that a project is up connects to its database at once.
    const isUp = to === 'ACTIVE_HEALTHY' && move.address
    const address = isUp ? await openPort(ref, isUp) : move.address
    return store.transaction(async (tx) => {
      const row = await store.transition(tx, ref, [from], to, { ...move, ...(isUp && { address }) })
      if (row) await also?.(tx)
      // Of a copy for a dry run, that tells whoever asked for it.
      if (row && !row.is_dry_run && move.failure !== undefined)
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
  }
