import type { KubernetesObject } from '@kubernetes/client-node'
import { UnknownProjectError, type DatabaseAddress } from '../provider.ts'
import type { ClusterApi } from './api.ts'
import type { Admin } from './database-store.ts'
import {
  annotationOf,
  authoritySecretOf,
  clusterAnnotation,
  clusterApi,
  clusterLabel,
  databaseName,
  namespaceOf,
  serviceOf,
  superuserSecretOf,
  type Cluster,
  type ClusterKey,
  type EndpointSlice,
  type Pod,
  type Secret,
  type Service,
} from './objects.ts'
import { isProject, seenOf } from './observe.ts'
import type { ApiServer } from './policies.ts'

export type Patience = {
  /** Milliseconds that the operator has for what was ordered. */
  deadlineMs: number
  /** Milliseconds after which it is looked at again, although nobody told of a change. */
  lookMs: number
}

export const named = (kind: string, apiVersion: string, ref: string, name: string) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: namespaceOf(ref) },
})
export const clusterNamed = ({ ref, name }: ClusterKey) => named('Cluster', clusterApi, ref, name)
export const namespaceNamed = (ref: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespaceOf(ref) },
})

/** What a project is in the cluster: one object says by one write which of its clusters it is. */
export const keyIn = (ref: string, home: KubernetesObject | undefined): ClusterKey => ({
  ref,
  name: (home && annotationOf(home, clusterAnnotation)) ?? ref,
})
export const currentOf = async (api: ClusterApi, ref: string): Promise<ClusterKey> =>
  keyIn(ref, await api.find(namespaceNamed(ref)))

export const findCluster = (api: ClusterApi, key: ClusterKey) =>
  api.find<Cluster>(clusterNamed(key))

/** One that is on its way out takes all that is in it along, however whole that still looks. */
export const isGoing = (home: KubernetesObject | undefined): boolean =>
  home?.metadata?.deletionTimestamp !== undefined

/** Undefined: there is no such project, or none any more, whoever has deleted its namespace. */
export async function findProject(
  api: ClusterApi,
  ref: string,
): Promise<{ key: ClusterKey; found: Cluster } | undefined> {
  const home = await api.find(namespaceNamed(ref))
  if (!home || isGoing(home)) return undefined
  const key = keyIn(ref, home)
  const found = await findCluster(api, key)
  return isProject(found) ? { key, found } : undefined
}

/** @throws UnknownProjectError */
export async function getProject(api: ClusterApi, ref: string) {
  const project = await findProject(api, ref)
  if (!project) throw new UnknownProjectError(ref)
  return project
}

/** What fails because the project goes meanwhile says so. @throws UnknownProjectError */
export async function whileThere<T>(
  api: ClusterApi,
  ref: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnknownProjectError || (await findProject(api, ref))) throw error
    throw new UnknownProjectError(ref)
  }
}

export const podsOf = ({ ref, name }: ClusterKey, api: ClusterApi): Promise<Pod[]> =>
  api.list<Pod>(
    { apiVersion: 'v1', kind: 'Pod', namespace: namespaceOf(ref) },
    `${clusterLabel}=${name}`,
  )

export async function look(api: ClusterApi, key: ClusterKey) {
  const cluster = await findCluster(api, key)
  const pods = cluster ? await podsOf(key, api) : []
  // The job that makes a new volume has the label, too, and is no instance.
  const instances = pods.filter(({ spec }) =>
    spec?.containers.some(({ name }) => name === 'postgres'),
  )
  return { cluster, pods, seen: seenOf(cluster, instances) }
}

/** Waits until the operator has done what the cluster says. What it says of its way goes into the error. */
export async function reach(
  api: ClusterApi,
  key: ClusterKey,
  wanted: 'running' | 'stopped',
  { deadlineMs, lookMs }: Patience,
  /** In words, why it never will be. */
  lost: (pods: readonly Pod[]) => string | undefined = () => undefined,
): Promise<void> {
  const { ref } = key
  const path = `/apis/${clusterApi}/namespaces/${namespaceOf(ref)}/clusters`
  const until = performance.now() + deadlineMs
  let hopelessSince: number | undefined
  for (;;) {
    const { cluster, pods, seen } = await look(api, key)
    if (seen.state === wanted) return
    const why = lost(pods)
    if (why !== undefined) throw new Error(why)
    if (seen.state === 'absent') throw new UnknownProjectError(ref)
    const now = performance.now()
    const left = until - now
    const phase = seen.state === 'coming' ? seen.phase : seen.state
    // A status does not say which order it is about: one of the order before has this long to be replaced.
    hopelessSince = seen.state === 'coming' && seen.hopeless ? (hopelessSince ?? now) : undefined
    const isHopeless = hopelessSince !== undefined && now - hopelessSince >= lookMs
    if (left <= 0 || isHopeless)
      throw new Error(`The database of project ${ref} is not ${wanted}: ${phase}`)
    await api.change(path, cluster?.metadata?.resourceVersion, Math.min(left, lookMs))
  }
}

/** Waits until nothing is left of a project that is being removed. */
export async function reachNothing(
  api: ClusterApi,
  ref: string,
  { deadlineMs, lookMs }: Patience,
): Promise<void> {
  const until = performance.now() + deadlineMs
  for (;;) {
    const namespace = await api.find(namespaceNamed(ref))
    if (!namespace) return
    const left = until - performance.now()
    if (left <= 0) throw new Error(`The namespace of project ${ref} is not gone yet`)
    const { resourceVersion } = namespace.metadata ?? {}
    await api.change('/api/v1/namespaces', resourceVersion, Math.min(left, lookMs))
  }
}

/** Where the platform finds the server: an address of the cluster's own network. Undefined: there is none yet. */
export async function addressOf(
  api: ClusterApi,
  { ref, name }: ClusterKey,
): Promise<DatabaseAddress | undefined> {
  const service = await api.find<Service>(named('Service', 'v1', ref, serviceOf(name)))
  const { clusterIP: socketDir, ports = [] } = service?.spec ?? {}
  const port = ports.find((one) => one.name === 'postgres')?.port
  return socketDir && port ? { socketDir, port, name: databaseName, tls: 'require' } : undefined
}

/** How the superuser comes in: nobody but the cluster keeps its password. */
export async function adminOf(api: ClusterApi, key: ClusterKey): Promise<Admin> {
  const { ref, name } = key
  const [address, login, authority] = await Promise.all([
    addressOf(api, key),
    api.find<Secret>(named('Secret', 'v1', ref, superuserSecretOf(ref))),
    api.find<Secret>(named('Secret', 'v1', ref, authoritySecretOf(name))),
  ])
  const password = decoded(login, 'password')
  const certificate = decoded(authority, 'ca.crt')
  if (!address || password === undefined || certificate === undefined)
    throw new Error(`Project ${ref} lacks its service, its password or its authority`)
  return {
    address,
    password,
    authority: certificate,
    serverName: `${serviceOf(name)}.${namespaceOf(ref)}.svc`,
  }
}

export const decoded = (secret: Secret | undefined, name: string): string | undefined => {
  const base64 = secret?.data?.[name]
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('utf8')
}

/** Where the cluster's API server is: at its service, and at what is behind that, since networks look before or after it. */
export async function apiServersOf(api: ClusterApi): Promise<ApiServer[]> {
  const where = { apiVersion: 'v1', kind: 'Service' }
  const metadata = { name: 'kubernetes', namespace: 'default' }
  const slices = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', namespace: 'default' }
  const [service, behind] = await Promise.all([
    api.find<Service>({ ...where, metadata }),
    api.list<EndpointSlice>(slices, 'kubernetes.io/service-name=kubernetes'),
  ])
  const { clusterIP, ports = [] } = service?.spec ?? {}
  const first = clusterIP ? ports.map(({ port }) => ({ address: clusterIP, port })) : []
  const others = behind.flatMap(({ endpoints = [], ports: open = [] }) =>
    endpoints.flatMap(({ addresses }) =>
      addresses.flatMap((address) =>
        open.flatMap(({ port }) => (port === undefined ? [] : [{ address, port }])),
      ),
    ),
  )
  const all = [...first, ...others]
  if (all.length === 0) throw new Error('The cluster does not say where its API server is')
  return all
}
