import type { Branch } from '#contract/projects/branches'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { lockBranches } from '../../platform-database/branches-lock-store.ts'
import type { BranchRow, BranchStore, Parent } from './store.ts'
import type { OrderedBy } from '../../ordered-by.ts'
import type { Ordered } from './travel/order.ts'

type Deps = {
  store: BranchStore
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  record: RecordChange
  get: (ref: string, id: string) => Promise<Branch>
}
export type Found = { parent: Parent; row: BranchRow }
export type Order = ReturnType<typeof createOrder>

/** Who asked for it: what a job changes for them stands in the audit log under their name. */
export const orderedBy = ({ userId, email }: Caller, origin: Origin): OrderedBy => ({
  userId,
  email,
  origin,
})

/** Accepts a job on a branch at rest, with its audit entry. Into main goes one thing at a time. */
export const createOrder =
  ({ store, acceptJob, startJob, record, get }: Deps) =>
  async (
    caller: Caller,
    { parent, row }: Found,
    name: 'branch.pull' | 'branch.merge' | 'branch.reset',
    ordered: Ordered,
    more: (tx: Tx, job: Job) => Promise<void> = async () => undefined,
  ): Promise<Branch> => {
    const job = await store.transaction(async (tx) => {
      await lockBranches(tx, parent.id)
      const why = await store.inTheWay(tx, row, name === 'branch.merge')
      if (why !== undefined) throw new ApiError('branch_busy', why)
      const accepted = await acceptJob(tx, name, row.ref)
      if (!(await store.take(tx, row.id, accepted.id, ordered))) throw new ApiError('branch_busy')
      await more(tx, accepted)
      await record(tx, {
        organizationId: parent.organization_id,
        actor: caller,
        action: `branches.${name.slice('branch.'.length)}`,
        target: `project:${parent.ref}`,
        change: { branch: row.name, ref: row.ref },
        origin: ordered.by.origin,
      })
      return accepted
    })
    await startJob(job)
    return get(parent.ref, row.id)
  }
