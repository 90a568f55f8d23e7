import type { Provider } from '#compute/provider'
import { computeSizes, type ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Log } from '#kit/log'
import type { Platform } from '../../platform.ts'
import { createServerChange, type Settling } from '../../server-change.ts'
import type { Job } from '#kit/jobs'
import type { ComputeStore, ResizeRow } from './store.ts'

type Deps = {
  store: ComputeStore
  projects: Pick<Platform['projects'], 'isOf'>
  compute: Pick<Provider, 'resize'>
  settle: (job: Job, ...how: Settling) => Promise<boolean>
  now: () => Date
  log: Log
}

const limitsOf = (size: ComputeSizeId) => ({
  maxConnections: computeSizes[size].directConnections,
})

/** The job that changes a size; what people pay for is what the server has. */
export const createResizing = ({ store, projects, compute, settle, now, log }: Deps) => ({
  'project.resize': createServerChange<ResizeRow>({
    name: 'project.resize',
    orderOf: store.ofJob,
    async run(ref, { to_size, from_size }, which) {
      if (!compute.resize) throw new Error('Sizes cannot be changed here')
      return compute.resize(ref, limitsOf(which === 'after' ? to_size : from_size))
    },
    async changed(tx, job, { project_id, to_size }, downMs) {
      await store.setSize(tx, project_id, to_size)
      const down_ms = downMs ?? null
      await store.end(tx, job.id, { at: now(), outcome: 'resized', failure: null, down_ms })
    },
    kept: (tx, job, _, failure) =>
      store.end(tx, job.id, { at: now(), outcome: 'kept', failure, down_ms: null }),
    told({ from_size, to_size }, failure) {
      const [from, to] = [from_size, to_size].map((size) => computeSizes[size].label)
      return `The database did not start with ${to} compute, so it has ${from} as before. ${failure}`
    },
    projects,
    settle,
    log,
  }),
})
