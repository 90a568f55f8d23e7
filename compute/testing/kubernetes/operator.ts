import { createMutex, perKey } from '#kit/concurrency'
import type { OsUser } from '#kit/postgres/os-user'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import {
  issue,
  type Authority,
  type KeyPair,
} from '../../../data-plane/postgres-gateway/tls/authority.ts'
import {
  clusterLabel,
  hibernationAnnotation,
  namespaceName,
  serviceOf,
  type Cluster,
  type Condition,
  type NetworkPolicy,
} from '../../kubernetes/objects.ts'
import { admitPod } from './admission.ts'
import { createArchiving } from './archiving.ts'
import { createInstance, type Initdb, type Instance } from './instance.ts'
import { mayConnect } from './network.ts'
import {
  authorityOf,
  failedJobOf,
  heldBy,
  isOutdated,
  podOf,
  servicesOf,
  volumeOf,
} from './operator-objects.ts'
import { Refused, type New, type Store, type Stored } from './store.ts'

type Options = {
  store: Store
  runtime: PostgresRuntime
  user: OsUser | undefined
  authority: Authority
  /** Where pods find the API server. */
  apiServer: { address: string; port: number }
  nextAddress: () => string
}
type Home = { name: string; namespace: string }

const healthy = 'Cluster in healthy state'
const condition = (type: string, is: boolean, reason: string): Condition => ({
  type,
  status: is ? 'True' : 'False',
  reason,
})

/**
 * Does for Cluster objects what CloudNativePG is documented to do, as far as it is used, with real servers: makes volume, service,
 * secrets and pod, replaces the pod when an order changed, starts again what ended, hibernates, and reports conditions and phases.
 */
export function createOperator(options: Options) {
  const { store, runtime, user, authority, apiServer } = options
  const exclusively = perKey(createMutex)
  const instances = new Map<string, { home: Home; instance: Instance; passwordVersion?: string }>()
  const errors: unknown[] = []
  const recoveryErrors: unknown[] = []
  const archiving = createArchiving(store, mayReach)
  let closed = false

  const keyOf = ({ namespace, name }: Home) => `${namespace}/${name}`
  function entryOf(home: Home) {
    const known = instances.get(keyOf(home))
    if (known) return known
    const { name } = home
    const instance = createInstance({ runtime, name, address: options.nextAddress(), user })
    const entry = { home, instance }
    instances.set(keyOf(home), entry)
    return entry as NonNullable<ReturnType<typeof instances.get>>
  }
  function make(object: New): void {
    const { kind, metadata } = object
    if (!store.find(kind, metadata.namespace, metadata.name ?? '')) store.create(object)
  }
  function report(
    cluster: Stored,
    phase: string,
    conditions: Condition[],
    more: object = {},
  ): void {
    const { resourceVersion: _, ...metadata } = cluster.metadata
    // It may be gone by now.
    if (!store.find('Cluster', metadata.namespace, metadata.name)) return
    const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
    const status = { phase, conditions, instances: 1, readyInstances: isReady ? 1 : 0, ...more }
    store.replace({ ...cluster, metadata: { ...metadata, resourceVersion: '' }, status }, 'status')
  }
  /** What is held until the process has ended, or the volume is empty, is let go. */
  function release(object: Stored): void {
    const { finalizers: _, ...metadata } = object.metadata
    store.replace({ ...object, metadata: { ...metadata, resourceVersion: '' } }, 'object')
  }
  const podIn = ({ name, namespace }: Home) => store.find('Pod', namespace, `${name}-1`)
  const volumeIn = ({ name, namespace }: Home) =>
    store.find('PersistentVolumeClaim', namespace, `${name}-1`)

  async function endPod(
    home: Home,
    instance: Instance,
    pod: Stored | undefined,
    mode: 'fast' | 'immediate' = 'fast',
  ): Promise<void> {
    if (pod && !pod.metadata.deletionTimestamp)
      store.remove('Pod', pod.metadata.namespace, pod.metadata.name)
    await instance.stop(mode)
    const left = podIn(home)
    if (left?.metadata.finalizers?.includes(heldBy)) release(left)
  }
  /** Whether this pod gets there, by the policies that there are. */
  function mayReach(
    { namespace, labels = {} }: Stored['metadata'],
    { address, port }: { address: string; port: number },
  ): boolean {
    const policies = store.list('NetworkPolicy', namespace) as unknown as NetworkPolicy[]
    const namespaces = Object.fromEntries(
      store
        .list('Namespace')
        .map(({ metadata }) => [
          metadata.name,
          { [namespaceName]: metadata.name, ...metadata.labels },
        ]),
    )
    const from = { address: '10.0.0.9', pod: { namespace: namespace ?? '', labels } }
    return mayConnect({ policies, namespaces }, from, { address }, port)
  }

  async function reconcile(home: Home): Promise<void> {
    const entry = entryOf(home)
    const { instance } = entry
    const cluster = store.find('Cluster', home.namespace, home.name)
    const pod = podIn(home)
    const volume = volumeIn(home)
    if (!cluster || cluster.metadata.deletionTimestamp) {
      // What it has not archived by now is nobody's, and nobody takes it.
      await endPod(home, instance, pod, 'immediate')
      for (const job of store.list('Pod', home.namespace))
        if (
          job.metadata.labels?.[clusterLabel] === home.name &&
          job.metadata.name !== `${home.name}-1`
        )
          store.remove('Pod', home.namespace, job.metadata.name)
      await instance.removeVolume()
      if (volume) {
        if (!volume.metadata.deletionTimestamp)
          store.remove('PersistentVolumeClaim', home.namespace, volume.metadata.name)
        const left = volumeIn(home)
        if (left) release(left)
      }
      instances.delete(keyOf(home))
      return
    }
    if (cluster.metadata.annotations?.[hibernationAnnotation] === 'on') {
      await endPod(home, instance, pod)
      const hibernated = condition(hibernationAnnotation, true, 'Hibernated')
      report(cluster, healthy, [condition('Ready', false, 'ClusterIsNotReady'), hibernated])
      return
    }
    await run(home, entry, cluster, pod)
  }

  async function run(
    home: Home,
    entry: ReturnType<typeof entryOf>,
    cluster: Stored,
    before: Stored | undefined,
  ): Promise<void> {
    const { instance } = entry
    const sidecar = archiving.sidecarOf(cluster)
    const wanted = podOf(home, cluster as unknown as Cluster, instance.address, sidecar)
    const notReady = [condition('Ready', false, 'ClusterIsNotReady')]
    const { superuserSecret, bootstrap, postgresql } = (cluster as unknown as Cluster).spec
    const secret = store.find('Secret', home.namespace, superuserSecret.name)
    if (!secret) return report(cluster, 'Setting up primary', notReady)
    if (before && (before.metadata.deletionTimestamp || isOutdated(before, wanted))) {
      report(cluster, 'Primary instance is being restarted without a switchover', notReady)
      await endPod(home, instance, before)
    }
    try {
      for (const object of servicesOf(home, instance.address)) make(object)
      make(authorityOf(home, authority.certificate))
      make(volumeOf(home))
      if (!podIn(home)) {
        admitPod(store, wanted as Stored)
        store.create(wanted)
        await instance.log.skip()
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // In a namespace that is on its way out nothing is made any more.
      const more = { phaseReason: error.message }
      return report(cluster, 'Unable to create required cluster objects', notReady, more)
    }
    const pod = podIn(home)
    if (!pod || !mayReach(pod.metadata, apiServer))
      return report(cluster, 'Setting up primary', notReady)
    if (!(await instance.running())) {
      report(cluster, 'Waiting for the instances to become active', notReady)
      const names = [`${serviceOf(home.name)}.${home.namespace}.svc`]
      const certificate = await issue(authority, names, 90, Date.now())
      if ('initdb' in bootstrap) await instance.init(certificate)
      else if (!(await recovered(home, entry, cluster, certificate)))
        return report(cluster, 'Setting up primary', notReady)
      await instance.start(postgresql.parameters, sidecar !== undefined)
      if ('initdb' in bootstrap) await instance.bootstrap(bootstrap.initdb as Initdb)
    }
    if (entry.passwordVersion !== secret.metadata.resourceVersion) {
      const { password } = secret.data as { password: string }
      await instance.givePassword(Buffer.from(password, 'base64').toString('utf8'))
      entry.passwordVersion = secret.metadata.resourceVersion
    }
    report(cluster, healthy, [condition('Ready', true, 'ClusterIsReady')])
  }

  /** Brings back the data of a new cluster. A job that fails leaves a pod behind, and is tried again. */
  async function recovered(
    home: Home,
    { instance }: ReturnType<typeof entryOf>,
    cluster: Stored,
    certificate: KeyPair,
  ): Promise<boolean> {
    if (await instance.isWhole()) return true
    const failed = store
      .list('Pod', home.namespace)
      .filter(({ metadata }) => metadata.name.startsWith(`${home.name}-1-full-recovery`))
    if (failed.length >= 6) return false
    try {
      const origin = await archiving.originOf(cluster)
      await instance.recover(certificate, origin).finally(origin.close)
      return true
    } catch (error) {
      recoveryErrors.push(error)
      store.create(failedJobOf(home, failed.length + 1))
      return false
    }
  }

  const look = (home: Home) =>
    exclusively(keyOf(home), async () => {
      if (!closed) await reconcile(home)
    }).catch((error: unknown) => void errors.push(error))
  const homes = () => {
    const found = [...store.list('Cluster'), ...store.list('Pod')].map(({ metadata }) => ({
      name: metadata.labels?.[clusterLabel] ?? metadata.name,
      namespace: metadata.namespace ?? '',
    }))
    return [...found, ...[...instances.values()].map(({ home }) => home)]
  }
  /** At most one look at a time waits for each. */
  const waiting = new Set<string>()
  const round = () => {
    for (const home of homes()) {
      const key = keyOf(home)
      if (waiting.has(key)) continue
      waiting.add(key)
      void look(home).then(() => waiting.delete(key))
    }
  }
  const end = store.follow(store.version(), ({ object }) => {
    if (
      ['Cluster', 'Pod', 'Secret', 'PersistentVolumeClaim', 'NetworkPolicy'].includes(object.kind)
    )
      round()
  })
  const clock = setInterval(round, 100)
  /** Beside all else: a server that stops waits until the last of what it has written was taken. */
  const archivist = setInterval(() => {
    for (const { home, instance } of instances.values())
      void archiving.archive(home, instance).catch((error: unknown) => void errors.push(error))
    for (const { home, instance } of instances.values())
      void archiving.backUp(home, instance).catch((error: unknown) => void errors.push(error))
  }, 50)
  return {
    /** What it could not do, which a test may want to know. */
    errors,
    /** Why data were not brought back, which a test may have wanted. */
    recoveryErrors,
    instanceOf: (home: Home) => instances.get(keyOf(home))?.instance,
    /** What the server in a pod has written since the last time, as the operator's program in it writes it to the pod's log. */
    async written({ metadata }: Stored): Promise<string[]> {
      const { labels = {}, namespace = '', name: pod } = metadata
      const name = labels[clusterLabel] ?? ''
      const known = pod === `${name}-1` ? instances.get(keyOf({ name, namespace })) : undefined
      return known ? known.instance.log.records(pod) : []
    },
    async close(): Promise<void> {
      end()
      clearInterval(clock)
      clearInterval(archivist)
      const all = [...instances.values()]
      await Promise.all(
        all.map(({ home, instance }) =>
          exclusively(keyOf(home), async () => {
            await instance.stop('immediate')
            await instance.removeVolume()
          }),
        ),
      )
      closed = true
    },
  }
}
