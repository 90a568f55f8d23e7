import type { Provider } from '#compute/provider'
import type { Job } from '#kit/jobs'
import { versionOfPrograms } from '#kit/postgres/builds/kept-programs'
import type { Log } from '#kit/log'
import type { Platform } from '../../platform.ts'
import { createServerChange, type Settling } from '../../server-change.ts'
import type { UpgradeRow, UpgradesStore } from './store.ts'

type Deps = {
  store: UpgradesStore
  projects: Pick<Platform['projects'], 'isOf'>
  compute: Pick<Provider, 'changeVersion'>
  settle: (job: Job, ...how: Settling) => Promise<boolean>
  now: () => Date
  log: Log
}

/** The job that has a project run on another version of PostgreSQL. The programs from before stay until it answers. */
export const createUpgrading = ({ store, projects, compute, settle, now, log }: Deps) => ({
  'project.upgrade': createServerChange<UpgradeRow>({
    name: 'project.upgrade',
    orderOf: store.ofJob,
    async run(ref, { to_programs, from_programs }, which) {
      if (!compute.changeVersion) throw new Error('Versions cannot be changed here')
      return compute.changeVersion(ref, which === 'after' ? to_programs : from_programs)
    },
    async changed(tx, job, { project_id, to_programs }, downMs) {
      await store.setVersion(tx, project_id, versionOfPrograms(to_programs))
      const down_ms = downMs ?? null
      await store.end(tx, job.id, { at: now(), outcome: 'upgraded', failure: null, down_ms })
    },
    kept: (tx, job, _, failure) =>
      store.end(tx, job.id, { at: now(), outcome: 'kept', failure, down_ms: null }),
    told: ({ from_programs, to_programs }, failure) =>
      `The database did not start with PostgreSQL ${versionOfPrograms(to_programs)}, so it runs on ${versionOfPrograms(from_programs)} as before. ${failure}`,
    projects,
    settle,
    log,
  }),
})
