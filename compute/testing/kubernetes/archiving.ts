import { lookup } from 'node:dns/promises'
import { pluginName, type Backup } from '../../kubernetes/backups/objects.ts'
import type { Cluster } from '../../kubernetes/objects.ts'
import { openObjectStore } from './barman.ts'
import type { Instance, Origin } from './instance.ts'
import type { Store, Stored } from './store.ts'

type Home = { name: string; namespace: string }
type MayReach = (pod: Stored['metadata'], to: { address: string; port: number }) => boolean

const portOf = ({ protocol, port }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80)
/** As Kubernetes writes times: in whole seconds. */
const wholeSeconds = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z')

/** Does what the Barman Cloud plugin is documented to do, as far as it is used, with the copies of real servers and a real bucket. */
export function createArchiving(store: Store, mayReach: MayReach) {
  const busy = new Set<string>()
  /** Archives that their server has begun itself; one that has files of another is refused. */
  const begun = new Map<Instance, string>()
  let copies = 0

  const archiverOf = (cluster: Stored | undefined) =>
    (cluster as unknown as Cluster | undefined)?.spec.plugins?.find(
      ({ name, enabled, isWALArchiver }) => name === pluginName && enabled && isWALArchiver,
    )
  const podOf = ({ name, namespace }: Home) => store.find('Pod', namespace, `${name}-1`)

  async function once<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    if (busy.has(key)) return undefined
    busy.add(key)
    try {
      return await work()
    } finally {
      busy.delete(key)
    }
  }
  async function reaches(home: Home, endpoint: URL): Promise<boolean> {
    const pod = podOf(home)
    const { address } = await lookup(endpoint.hostname)
    return pod !== undefined && mayReach(pod.metadata, { address, port: portOf(endpoint) })
  }
  /** The bucket that a cluster archives to. */
  function opened(home: Home) {
    const plugin = archiverOf(store.find('Cluster', home.namespace, home.name))
    const { barmanObjectName, serverName = home.name } = plugin?.parameters ?? {}
    if (!barmanObjectName) return undefined
    return { server: serverName, bucket: openObjectStore(store, home.namespace, barmanObjectName) }
  }

  async function finish(backup: Stored, status: Backup['status']): Promise<void> {
    const { namespace, name } = backup.metadata
    const there = store.find('Backup', namespace, name)
    if (!there) return
    const metadata = { ...there.metadata, resourceVersion: '' }
    store.replace({ ...there, metadata, status: { ...there.status, ...status } }, 'status')
  }
  async function copyFor(backup: Stored, home: Home, instance: Instance): Promise<void> {
    const to = opened(home)
    if (!to) return finish(backup, { phase: 'failed', error: `the cluster has no ${pluginName}` })
    const { server, bucket } = to
    try {
      if (!(await reaches(home, bucket.endpoint)))
        return await finish(backup, {
          phase: 'failed',
          error: `Could not connect to the endpoint URL: ${bucket.endpoint.href}`,
        })
      const startedAt = wholeSeconds(new Date())
      await finish(backup, { phase: 'started', startedAt })
      const { tar, beginWal } = await instance.copy()
      copies += 1
      const backupId = `${startedAt.replaceAll(/[-:Z]/g, '')}-${copies}`
      await bucket.putBase(server, backupId, tar)
      const stoppedAt = wholeSeconds(new Date())
      await finish(backup, { phase: 'completed', backupId, beginWal, stoppedAt })
    } catch (error) {
      await finish(backup, { phase: 'failed', error: String(error) })
    } finally {
      bucket.close()
    }
  }

  return {
    /** What the plugin's container in the pod of this cluster needs; undefined: it has none. */
    sidecarOf(cluster: Stored): object | undefined {
      const name = archiverOf(cluster)?.parameters.barmanObjectName
      if (name === undefined) return undefined
      const found = openObjectStore(store, cluster.metadata.namespace ?? '', name)
      found.close()
      return found.resources
    },
    /** Takes what a server has finished writing to the bucket, as long as it gets there. */
    archive: (home: Home, instance: Instance) =>
      once(`archive ${home.name}`, async () => {
        const to = opened(home)
        if (!to) return
        const { server, bucket } = to
        try {
          await instance.spooled(async (wal, bytes) => {
            if (begun.get(instance) !== server) {
              if (!(await bucket.isEmpty(server)) && !(await instance.hasArchived(server)))
                throw new Error(
                  `WAL archive check failed for server ${server}: Expected empty archive`,
                )
              await instance.noteArchived(server)
              begun.set(instance, server)
            }
            const pod = podOf(home)
            if (pod && !(await reaches(home, bucket.endpoint)))
              throw new Error(`${home.name} does not reach ${bucket.endpoint.href}`)
            await bucket.archive(server, wal, bytes)
          })
        } finally {
          bucket.close()
        }
      }),
    /** Makes the backups that are ordered of a cluster, one after the other. */
    backUp: (home: Home, instance: Instance) =>
      once(`copy ${home.name}`, async () => {
        const done = ['completed', 'failed', 'walArchivingFailing']
        const [next] = store
          .list('Backup', home.namespace)
          .map((one) => one as unknown as Backup & Stored)
          .filter(({ spec }) => spec.cluster.name === home.name)
          .filter(({ status }) => !done.includes(String(status?.phase)))
        if (next && (await instance.running())?.ready) await copyFor(next, home, instance)
      }),
    /** What a new cluster is made from. */
    async originOf(cluster: Stored): Promise<Origin & { close: () => void }> {
      const { bootstrap, externalClusters = [] } = (cluster as unknown as Cluster).spec
      if (!('recovery' in bootstrap)) throw new Error('The cluster is made from nothing')
      const { source, recoveryTarget } = bootstrap.recovery
      const external = externalClusters.find(({ name }) => name === source)
      const { barmanObjectName, serverName } = external?.plugin.parameters ?? {}
      if (!barmanObjectName || !serverName) throw new Error(`Nothing says where ${source} is`)
      const bucket = openObjectStore(store, cluster.metadata.namespace ?? '', barmanObjectName)
      const { backupID, ...target } = recoveryTarget
      return {
        base: () => bucket.getBase(serverName, backupID),
        wals: bucket.wals(serverName),
        target,
        close: () => bucket.close(),
      }
    },
  }
}
