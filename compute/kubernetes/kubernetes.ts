import { setTimeout as delay } from 'node:timers/promises'
import type { KubeConfig } from '@kubernetes/client-node'
import { createMutex, perKey } from '#kit/concurrency'
import type { Log } from '#kit/log'
import { acceptsConnections } from '#kit/postgres/ping'
import {
  UnknownProjectError,
  type Changed,
  type DatabaseAddress,
  type ProjectLimits,
  type ProjectSpec,
  type Provider,
} from '../provider.ts'
import { missingAccess } from './access.ts'
import { openApi, type ClusterApi } from './api.ts'
import { connectionsOf, holdReadOnly, makeDatabase, type ProjectSql } from './database-store.ts'
import { ensure, ensureOnce } from './ensure.ts'
import {
  cluster,
  namespace,
  policies,
  quota,
  sizedSpec,
  superuserSecret,
  type Choices,
} from './manifests.ts'
import {
  annotationOf,
  hibernationAnnotation,
  isRef,
  partOf,
  platform,
  projectLabel,
  readOnlyAnnotation,
  readyAnnotation,
  restartAnnotation,
  sizeAnnotation,
  type Cluster,
} from './objects.ts'
import { isProject } from './observe.ts'
import type { Neighbours } from './policies.ts'
import {
  addressOf,
  adminOf,
  apiServersOf,
  clusterNamed,
  findCluster,
  look,
  namespaceNamed,
  reach,
  reachNothing,
  type Patience,
} from './project.ts'

export type KubernetesOptions = Omit<Neighbours, 'apiServers'> &
  Partial<Patience> & {
    /** How the API server is found and asked. */
    config: () => Promise<KubeConfig>
    choices: Choices
    sql: ProjectSql
    log: Log
    /** Milliseconds for which an API server that is busy, or cannot be reached, is asked again. */
    patienceMs?: number
  }

/**
 * Projects as clusters of the operator CloudNativePG, each in a namespace of its own. What is to be is written into the cluster's
 * objects, and what is, is read from them: nothing is kept here, so any process can go on where another one ended.
 */
export function createKubernetesProvider(options: KubernetesOptions): Provider {
  const { choices, sql, log, deadlineMs = 600_000, lookMs = 5000, patienceMs } = options
  const patience = { deadlineMs, lookMs }
  const exclusively = perKey(createMutex)
  let opened: Promise<ClusterApi> | undefined
  const closing = new AbortController()

  const open = async () =>
    openApi({ config: await options.config(), ...(patienceMs !== undefined && { patienceMs }) })
  function api(): Promise<ClusterApi> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  function forProject<T>(ref: string, work: (api: ClusterApi) => Promise<T>): Promise<T> {
    if (!isRef(ref)) return Promise.reject(new TypeError(`"${ref}" is not a project ref`))
    return exclusively(ref, async () => work(await api()))
  }
  async function projectOf(api: ClusterApi, ref: string): Promise<Cluster> {
    const found = await findCluster(api, ref)
    if (!isProject(found)) throw new UnknownProjectError(ref)
    return found
  }
  /** Writes what is to be onto the cluster of a project. */
  const order = (
    api: ClusterApi,
    ref: string,
    annotations: Record<string, string>,
    spec?: Partial<Cluster['spec']>,
  ) => {
    const { metadata, ...rest } = clusterNamed(ref)
    return api.merge({ ...rest, metadata: { ...metadata, annotations }, ...(spec && { spec }) })
  }
  async function addressKnown(api: ClusterApi, ref: string): Promise<DatabaseAddress> {
    const address = await addressOf(api, ref)
    if (!address) throw new Error(`The operator has made no service for project ${ref}`)
    return address
  }
  async function up(api: ClusterApi, ref: string): Promise<DatabaseAddress> {
    await reach(api, ref, 'running', patience)
    return addressKnown(api, ref)
  }
  /** A server that has just been reported ready may refuse the first ones, and learns a new password a moment later. */
  async function settled<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + Math.min(deadlineMs, 60_000)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const code = error instanceof Object && 'code' in error ? error.code : undefined
        if (!passing.has(String(code)) || performance.now() > until) throw error
        await delay(againMs, undefined, { signal: closing.signal })
      }
    }
  }

  async function create(api: ClusterApi, spec: ProjectSpec): Promise<DatabaseAddress> {
    const { ref, limits } = spec
    if (isProject(await findCluster(api, ref))) return start(api, ref)
    const left = await api.find(namespaceNamed(ref))
    if (left?.metadata?.deletionTimestamp !== undefined) await reachNothing(api, ref, patience)
    const neighbours = { ...options, apiServers: await apiServersOf(api) }
    await ensure(api, namespace(ref))
    // Before there is anything that they could keep from somebody.
    for (const policy of policies(ref, neighbours)) await ensure(api, policy)
    await ensure(api, quota(ref, limits.maxConnections))
    await ensureOnce(api, superuserSecret(ref))
    await ensure(api, cluster(spec, choices))
    const address = await up(api, ref)
    await settled(async () => makeDatabase(await adminOf(api, ref), sql, spec))
    await order(api, ref, { [readyAnnotation]: 'true' })
    log.info({ ref }, 'the cluster has a new project')
    return address
  }
  async function start(api: ClusterApi, ref: string): Promise<DatabaseAddress> {
    const found = await projectOf(api, ref)
    if (annotationOf(found, hibernationAnnotation) === 'on')
      await order(api, ref, { [hibernationAnnotation]: 'off' })
    const address = await up(api, ref)
    await settleReadOnly(api, ref)
    return address
  }
  /** What was said while it did not run is made so. */
  async function settleReadOnly(api: ClusterApi, ref: string): Promise<void> {
    const wanted = annotationOf(await projectOf(api, ref), readOnlyAnnotation) === 'on'
    await settled(async () => holdReadOnly(await adminOf(api, ref), wanted))
  }
  async function restart(api: ClusterApi, ref: string): Promise<DatabaseAddress> {
    await projectOf(api, ref)
    await order(api, ref, stampedNow())
    const address = await up(api, ref)
    await settleReadOnly(api, ref)
    return address
  }
  async function resize(api: ClusterApi, ref: string, limits: ProjectLimits): Promise<Changed> {
    const { maxConnections } = limits
    const found = await projectOf(api, ref)
    const { seen } = await look(api, ref)
    const ran = seen.state === 'running'
    if (annotationOf(found, sizeAnnotation) === String(maxConnections)) {
      await start(api, ref)
      return { address: await addressKnown(api, ref), downMs: undefined }
    }
    const began = performance.now()
    const spec = sizedSpec(maxConnections)
    await ensure(api, quota(ref, maxConnections))
    await order(api, ref, { ...stampedNow(), [sizeAnnotation]: String(maxConnections) }, spec)
    try {
      const address = await up(api, ref)
      await settled(() =>
        hasConnections(api, ref, Number(spec.postgresql.parameters.max_connections)),
      )
      await settleReadOnly(api, ref)
      return { address, downMs: ran ? performance.now() - began : undefined }
    } catch (error) {
      await order(api, ref, { [hibernationAnnotation]: 'on' })
      throw error
    }
  }
  async function hasConnections(api: ClusterApi, ref: string, wanted: number): Promise<void> {
    const has = await connectionsOf(await adminOf(api, ref))
    if (has !== wanted)
      throw new Error(`The server of project ${ref} has places for ${has} and not for ${wanted}`)
  }

  return {
    async prepare() {
      const cluster = await api()
      // Says at once when the cluster cannot be reached, or lets the platform do too little.
      const missing = await missingAccess(cluster)
      if (missing.length > 0)
        throw new Error(`The cluster does not let the platform ${missing.join(', ')}`)
    },
    create: (spec) => forProject(spec.ref, (api) => create(api, spec)),
    start: (ref) => forProject(ref, (api) => start(api, ref)),
    stop: (ref) =>
      forProject(ref, async (api) => {
        if (!isProject(await findCluster(api, ref))) return
        await order(api, ref, { [hibernationAnnotation]: 'on' })
        await reach(api, ref, 'stopped', patience)
      }),
    restart: (ref) => forProject(ref, (api) => restart(api, ref)),
    resize: (ref, limits) => forProject(ref, (api) => resize(api, ref, limits)),
    async limits(ref) {
      const found = await findCluster(await api(), ref)
      const size = isProject(found) ? annotationOf(found, sizeAnnotation) : undefined
      return size === undefined ? undefined : { maxConnections: Number(size) }
    },
    destroy: (ref) =>
      forProject(ref, async (api) => {
        if (await api.remove(namespaceNamed(ref))) await reachNothing(api, ref, patience)
      }),
    async inspect(ref) {
      try {
        const cluster = await api()
        const { cluster: found, seen } = await look(cluster, ref)
        if (!isProject(found)) return { state: 'absent' }
        if (seen.state === 'stopping') return { state: 'unknown', reason: 'It is being stopped' }
        if (seen.state !== 'running') return { state: 'stopped' }
        return { state: 'running', address: await addressKnown(cluster, ref) }
      } catch (error) {
        return { state: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },
    async probe(ref) {
      const cluster = await api()
      if (!isRef(ref) || !isProject(await findCluster(cluster, ref))) return false
      const address = await addressOf(cluster, ref)
      return address !== undefined && acceptsConnections(address)
    },
    async list() {
      const found = await (
        await api()
      ).list({ apiVersion: 'v1', kind: 'Namespace' }, `${partOf}=${platform}`)
      const refs = found.map(({ metadata }) => metadata?.labels?.[projectLabel] ?? '')
      return refs.filter((ref) => isRef(ref)).toSorted()
    },
    setReadOnly: (ref, readOnly) =>
      forProject(ref, async (api) => {
        if (!isProject(await findCluster(api, ref))) return
        await order(api, ref, { [readOnlyAnnotation]: readOnly ? 'on' : 'off' })
        const { seen } = await look(api, ref)
        if (seen.state === 'running') await settleReadOnly(api, ref)
      }),
    async close() {
      closing.abort()
      // One that could not be opened has nothing to close.
      const cluster = await opened?.catch(() => undefined)
      cluster?.close()
    },
  }
}

const againMs = 250
/** Nobody listens, the password is not known yet, the server starts or ends. */
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', '28P01', '57P01', '57P03'])

/** An order for a server that was started since now. */
const stampedNow = () => ({
  [restartAnnotation]: new Date().toISOString(),
  [hibernationAnnotation]: 'off',
})
