import { compute as api } from '#contract/projects/compute-resize'
import { implement } from '#kit/http'
import type { DatabaseAddress } from '#compute/provider'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Tx } from '../../platform-database/database.ts'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { Platform } from '../../platform.ts'
import { createResizes } from './resizes.ts'
import { createResizing } from './resizing.ts'
import { computeStore } from './store.ts'

type Needs = Pick<Parameters<typeof createResizes>[0], 'admit'> & {
  /** Moves a project, with what is written down beside it; undefined when somebody else moved it first. */
  settle: (
    ref: string,
    from: ProjectStatus,
    to: ProjectStatus,
    move: Move,
    also: (tx: Tx) => Promise<void>,
  ) => Promise<unknown>
  toAddress: (address: DatabaseAddress) => ProjectAddress
}
type Move = { job: string; address?: ProjectAddress; failure?: string }

/** Compute sizes of projects: which one a project has, and changing it. */
export function computeFeature(platform: Platform, { admit, settle, toAddress }: Needs) {
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
    settle: async (job, to, { address, failure }, also) => {
      const move = {
        job: job.id,
        ...(address && { address: toAddress(address) }),
        ...(failure !== undefined && { failure }),
      }
      return (await settle(job.subject, 'RESIZING', to, move, also)) !== undefined
    },
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
