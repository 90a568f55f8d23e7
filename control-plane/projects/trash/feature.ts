import { trash as api } from '#contract/projects/trash'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { trashStore } from './store.ts'
import { createTrash, type Trash, type TrashDeps } from './trash.ts'
import { trashWorkflows } from './workflows.ts'

type Needs = Pick<TrashDeps, 'admit' | 'hasSpace'>

/** Deleted projects that can still be brought back. */
export function trashFeature(platform: Platform, needs: Needs) {
  const { db, record, jobs, access, compute, each, now } = platform
  const store = trashStore(db)
  const trash = createTrash({
    store,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    access,
    each,
    now,
    ...needs,
  })
  return {
    round: trash.round,
    workflows: trashWorkflows({ store, compute }),
    rounds: [{ seconds: 60, name: 'trash of projects', run: trash.round }],
    routes: trashRoutes(trash),
  }
}

const trashRoutes = (trash: Trash) => [
  implement(api.list, (input, caller) => trash.list(caller, input)),
  implement(api.restore, (place, caller, origin) => trash.restore({ caller, origin }, place)),
  implement(api.remove, (place, caller, origin) => trash.remove({ caller, origin }, place)),
]
