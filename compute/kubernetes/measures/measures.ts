import { UnknownProjectError, type DiskUse, type ServerLoad } from '../../provider.ts'
import type { ClusterApi } from '../api.ts'
import type { Admin } from '../database-store.ts'
import { isRef } from '../objects.ts'
import { adminOf, getProject, look } from '../project.ts'
import { diskMarkOf, diskUseOf, loadOf } from './measures-store.ts'

type Options = {
  api: () => Promise<ClusterApi>
  controlGroup?: string | undefined
}

/** Milliseconds for which it is known how to come into a server: asking for that costs more than what is asked there. */
const knownMs = 5 * 60_000
/** As every container sees its own, where the kernel counts by control groups of version 2. */
const usualGroup = '/sys/fs/cgroup'

/** What servers in the cluster use, asked of themselves: nobody else tells it without a right over all machines. */
export function createMeasures({ api, controlGroup = usualGroup }: Options) {
  const known = new Map<string, { admin: Admin; until: number }>()

  /** Undefined: no server runs. */
  async function adminNow(ref: string): Promise<Admin | undefined> {
    const cluster = await api()
    const project = await getProject(cluster, ref)
    const { seen } = await look(cluster, project.key)
    if (seen.state !== 'running') return undefined
    const admin = await adminOf(cluster, project.key)
    known.set(ref, { admin, until: performance.now() + knownMs })
    return admin
  }
  /**
   * Asks by the way that is known. Where that fails the server may have moved or ended, so it is looked up. One that has taken over an
   * address does not get in between: each proves by its certificate which it is.
   */
  async function ask<T>(
    ref: string,
    question: (admin: Admin) => Promise<T>,
  ): Promise<T | undefined> {
    if (!isRef(ref)) return undefined
    const before = known.get(ref)
    known.delete(ref)
    if (before && before.until > performance.now())
      try {
        const answer = await question(before.admin)
        known.set(ref, before)
        return answer
      } catch {
        // It is looked up below, and what goes wrong there is told.
      }
    try {
      const admin = await adminNow(ref)
      return admin && (await question(admin))
    } catch (error) {
      known.delete(ref)
      if (error instanceof UnknownProjectError) return undefined
      throw error
    }
  }
  return {
    load: (ref: string): Promise<ServerLoad | undefined> =>
      ask(ref, (admin) => loadOf(admin, controlGroup)),
    diskUse: (ref: string): Promise<DiskUse | undefined> => ask(ref, diskUseOf),
    diskMark: (ref: string): Promise<string | undefined> => ask(ref, diskMarkOf),
  }
}
