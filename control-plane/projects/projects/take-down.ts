import type { Provider } from '#compute/provider'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import { secretsOf } from './spec.ts'
import type { ProjectStore } from './store.ts'

type Deps = {
  store: Pick<ProjectStore, 'findAny'>
  compute: Provider
  secrets: Secrets
  log: Log
}
export type DropReplicas = (ref: string) => Promise<void>
export type TakeDown = (ref: string) => Promise<void>

/**
 * Drops all read replicas of a project, whether it runs or not. One that cannot be dropped holds up nothing: it has been marked by
 * then, so that it is never started again, and is dropped when its project comes back.
 */
export const createDropReplicas =
  ({ store, compute, secrets, log }: Deps): DropReplicas =>
  async (ref) => {
    const row = await store.findAny(ref)
    if (!compute.replicas || !row) return
    const { adminPassword } = secretsOf(secrets, row)
    for (const { id } of await compute.replicas.list(ref, adminPassword)) {
      await compute.replicas.drop({ ref, id }, adminPassword).catch((err: unknown) => {
        log.error({ err, ref, id }, 'a read replica of a deleted project could not be dropped')
      })
    }
  }

/**
 * Ends what there is in the world of a project that is going down: all of it, or all that it does not need to come back from the
 * trash. A project that is no more on its way there stays as it is: a job that runs again after a crash may meet one that was
 * brought back meanwhile.
 */
export const createTakeDown =
  ({
    store,
    compute,
    dropReplicas,
  }: Pick<Deps, 'store' | 'compute'> & { dropReplicas: DropReplicas }): TakeDown =>
  async (ref) => {
    const row = await store.findAny(ref)
    if (row?.status !== 'GOING_DOWN') return
    if (row.deleted_at === null) return compute.destroy(ref)
    // Stopped first, so that nobody makes another replica meanwhile.
    await compute.stop(ref)
    await dropReplicas(ref)
  }
