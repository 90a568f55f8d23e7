import type { RecordChange } from '../../../organizations/audit/audit.ts'
import { lockProject } from '../../../platform-database/lock-project.ts'
import type { BranchStore } from '../store.ts'
import type { OrderedBy } from '../../../ordered-by.ts'
import type { Side } from './three-sides.ts'

type Deps = { store: BranchStore; record: RecordChange }

/** A change in a project's database is one of another database: its entry follows as soon as it is made. */
export const createRecordBuckets =
  ({ store, record }: Deps) =>
  (by: OrderedBy, ref: string, buckets: Side): Promise<void> =>
    store.transaction(async (tx) => {
      const project = await lockProject(tx, ref)
      if (!project) return
      await record(tx, {
        organizationId: project.organization_id,
        actor: by,
        action: 'branches.setBuckets',
        target: `project:${ref}`,
        change: { after: { ...buckets } },
        origin: by.origin,
      })
    })
