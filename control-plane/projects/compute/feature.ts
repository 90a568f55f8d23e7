import { compute as api } from '#contract/projects/compute-resize'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { settleFrom, type SettleNeeds } from '../../server-change.ts'
import { createResizes } from './resizes.ts'
import { createResizing } from './resizing.ts'
import { computeStore } from './store.ts'

type Needs = Pick<Parameters<typeof createResizes>[0], 'admit'> & SettleNeeds
/** Compute sizes of projects: which one a project has, and changing it. */
export function computeFeature(platform: Platform, { admit, ...moves }: Needs) {
  const { db, record, jobs, projects, compute, each, now, log } = platform
  const store = computeStore(db)
  const resizes = createResizes({
    store,
    projects,
    compute,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    admit,
    each,
    now,
  })
  const workflows = createResizing({
    store,
    projects,
    compute,
    settle: settleFrom('RESIZING', moves),
    now,
    log,
  })
  return {
    resizes,
    workflows,
    rounds: [{ seconds: 60, name: 'sizes to settle', run: resizes.settleLeftBehind }],
    routes: [implement(api.get, ({ ref }) => resizes.get(ref))],
  }
}
