import type { Provider } from '#compute/provider'
import { failpoint } from '#kit/failpoints'
import type { JobHandler } from '#kit/jobs'
import type { TrashStore } from './store.ts'

type Deps = { store: Pick<TrashStore, 'isOf' | 'forget'>; compute: Pick<Provider, 'destroy'> }

/** Tried until it is done: about an hour here, then the round goes on. */
const untilDone = { attempts: 12, seconds: 1 }

/**
 * Removes a project that waits for good: first what there is of it in the world, then what is kept for it. Killed in between, it does
 * both again.
 */
export const trashWorkflows = ({ store, compute }: Deps): Record<string, JobHandler> => ({
  'project.purge': async (job, step) => {
    const destroy = async () => {
      if (!(await store.isOf(job.subject, job.id))) return
      await compute.destroy(job.subject)
      failpoint('project.purge.forget:before')
      await store.forget(job.subject, job.id)
    }
    await step('destroy', destroy, untilDone)
  },
})
