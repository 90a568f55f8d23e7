import type { KubeConfig } from '@kubernetes/client-node'
import { createMutex, perKey } from '#kit/concurrency'
import type { Log } from '#kit/log'
import { acceptsConnections } from '#kit/postgres/ping'
import {
  UnknownProjectError,
  type Changed,
  type DatabaseAddress,
  type Observation,
  type ProjectLimits,
  type ProjectSpec,
  type Provider,
} from '../provider.ts'
import { missingAccess } from './access.ts'
import { openApi, type ClusterApi } from './api.ts'
import { clusterBackups } from './backups/backups.ts'
import { markStop } from './backups/moments.ts'
import { serverOf } from './backups/objects.ts'
import { createBackupPlace, networkOf, type BackupSettings } from './backups/place.ts'
import { connectionsOf, makeDatabase, type ProjectSql } from './database-store.ts'
import { ensure } from './ensure.ts'
import { createClusterLogs, type LogTimings } from './logs/cluster-logs.ts'
import { cluster, quota, sizedSpec, type Choices } from './manifests.ts'
import {
  annotationOf,
  customerRole,
  databaseName,
  hibernationAnnotation,
  isRef,
  partOf,
  platform,
  projectLabel,
  readOnlyAnnotation,
  readyAnnotation,
  restartAnnotation,
  sizeAnnotation,
  type ClusterKey,
} from './objects.ts'
import { createMeasures } from './measures/measures.ts'
import type { Neighbours } from './policies.ts'
import {
  addressOf,
  adminOf,
  findProject,
  getProject,
  isGoing,
  look,
  namespaceNamed,
  reach,
  reachNothing,
  whileThere,
  type Patience,
} from './project.ts'
import { addressKnown, createWork, furnish, order, uidOf } from './work.ts'

export type KubernetesOptions = Omit<Neighbours, 'apiServers' | 'bucket'> &
  Partial<Patience> & {
    /** How the API server is found and asked. */
    config: () => Promise<KubeConfig>
    choices: Choices
    sql: ProjectSql
    log: Log
    /** Where backups go. Undefined: there are none. */
    backups?: BackupSettings | undefined
    /** Milliseconds for which an API server that is busy, or cannot be reached, is asked again. */
    patienceMs?: number
    /** Milliseconds that the statistics of servers may be behind. */
    statisticsLag?: number
    logTimings?: Partial<LogTimings>
    /** Where a container sees what its processes use; what the kernel tells every container unless told. */
    controlGroup?: string
  }

/**
 * Projects as clusters of the operator CloudNativePG, each in a namespace of its own. What is to be is written into the cluster's
 * objects, and what is, is read from them: nothing is kept here, so any process can go on where another one ended.
 */
export function createKubernetesProvider(options: KubernetesOptions): Provider {
  const { choices, sql, log, deadlineMs = 600_000, lookMs = 5000, patienceMs } = options
  const { platformNamespace, operatorNamespace } = options
  const exclusively = perKey(createMutex)
  let opened: Promise<ClusterApi> | undefined
  const closing = new AbortController()
  const work = createWork({ deadlineMs, lookMs }, closing.signal)
  const { patience, up, settled, settleReadOnly } = work
  const place = options.backups && createBackupPlace(options.backups, platformNamespace)
  const bucket = options.backups && networkOf(options.backups)

  const open = async () =>
    openApi({ config: await options.config(), ...(patienceMs !== undefined && { patienceMs }) })
  function api(): Promise<ClusterApi> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  function forProject<T>(ref: string, run: (api: ClusterApi) => Promise<T>): Promise<T> {
    if (!isRef(ref)) return Promise.reject(new TypeError(`"${ref}" is not a project ref`))
    return exclusively(ref, async () => run(await api()))
  }
  /** For what needs a project that is there, and goes on being there. */
  const inProject = <T>(ref: string, run: (api: ClusterApi) => Promise<T>): Promise<T> =>
    forProject(ref, (api) => whileThere(api, ref, () => run(api)))
  /** For what has nothing to do where there is none, or none any more. */
  const ifThere = (ref: string, run: (api: ClusterApi) => Promise<void>): Promise<void> =>
    inProject(ref, run).catch((error: unknown) => {
      if (!(error instanceof UnknownProjectError)) throw error
    })
  const furnishProject = (api: ClusterApi, ref: string, maxConnections: number) =>
    furnish(api, ref, { platformNamespace, operatorNamespace, bucket, maxConnections })

  const measures = createMeasures({ api, controlGroup: options.controlGroup })
  const logs = createClusterLogs({ api, platformNamespace, log, timings: options.logTimings })

  async function create(api: ClusterApi, spec: ProjectSpec): Promise<DatabaseAddress> {
    const { ref, limits } = spec
    if (await findProject(api, ref)) return start(api, ref)
    if (isGoing(await api.find(namespaceNamed(ref)))) await reachNothing(api, ref, patience)
    const key = { ref, name: ref }
    await furnishProject(api, ref, limits.maxConnections)
    await place?.furnish(api, ref)
    const server = place && serverOf(key, await uidOf(api, ref))
    await ensure(api, cluster(spec, choices, { name: ref, server }))
    const address = await up(api, key)
    await settled(async () => makeDatabase(await adminOf(api, key), sql, spec))
    await order(api, key, { [readyAnnotation]: 'true' })
    log.info({ ref }, 'the cluster has a new project')
    return address
  }
  async function start(api: ClusterApi, ref: string): Promise<DatabaseAddress> {
    const { key, found } = await getProject(api, ref)
    if (annotationOf(found, hibernationAnnotation) === 'on')
      await order(api, key, { [hibernationAnnotation]: 'off' })
    const address = await up(api, key)
    await settleReadOnly(api, key)
    return address
  }
  async function stop(api: ClusterApi, ref: string): Promise<void> {
    const { key, found } = await getProject(api, ref)
    const { seen } = await look(api, key)
    if (found.spec.plugins?.length && seen.state === 'running')
      await markStop(api, key).catch((error: unknown) =>
        log.warn({ err: error, ref }, 'moments after the last commit cannot be restored to'),
      )
    await order(api, key, { [hibernationAnnotation]: 'on' })
    await reach(api, key, 'stopped', patience)
  }
  async function restart(api: ClusterApi, ref: string): Promise<DatabaseAddress> {
    const { key } = await getProject(api, ref)
    await order(api, key, stampedNow())
    const address = await up(api, key)
    await settleReadOnly(api, key)
    return address
  }
  async function resize(api: ClusterApi, ref: string, limits: ProjectLimits): Promise<Changed> {
    const { maxConnections } = limits
    const { key, found } = await getProject(api, ref)
    const { seen } = await look(api, key)
    const ran = seen.state === 'running'
    if (annotationOf(found, sizeAnnotation) === String(maxConnections)) {
      await start(api, ref)
      return { address: await addressKnown(api, key), downMs: undefined }
    }
    const began = performance.now()
    const spec = sizedSpec(maxConnections)
    await ensure(api, quota(ref, maxConnections, { withBackups: place !== undefined }))
    await order(api, key, { ...stampedNow(), [sizeAnnotation]: String(maxConnections) }, spec)
    try {
      const address = await up(api, key)
      await settled(() =>
        hasConnections(api, key, Number(spec.postgresql.parameters.max_connections)),
      )
      await settleReadOnly(api, key)
      return { address, downMs: ran ? performance.now() - began : undefined }
    } catch (error) {
      await order(api, key, { [hibernationAnnotation]: 'on' })
      throw error
    }
  }
  async function hasConnections(api: ClusterApi, key: ClusterKey, wanted: number): Promise<void> {
    const has = await connectionsOf(await adminOf(api, key))
    if (has !== wanted)
      throw new Error(
        `The server of project ${key.ref} has places for ${has} and not for ${wanted}`,
      )
  }
  /** All that is in the cluster; its backups stay. */
  async function clear(api: ClusterApi, ref: string): Promise<void> {
    if (await api.remove(namespaceNamed(ref))) await reachNothing(api, ref, patience)
  }
  async function destroy(api: ClusterApi, ref: string): Promise<void> {
    await clear(api, ref)
    // Nobody archives to it any more.
    if (place) await (await place.bucket(api)).removeFolder(`${ref}/`)
  }
  const backups =
    place &&
    clusterBackups({
      api,
      place,
      choices,
      work,
      forProject,
      furnish: furnishProject,
      start,
      clear,
      lagMs: options.statisticsLag,
    })

  return {
    names: { customer: customerRole, database: databaseName },
    ...(backups && { backups }),
    async prepare() {
      const cluster = await api()
      // Says at once when the cluster cannot be reached, or lets the platform do too little.
      const missing = await missingAccess(cluster)
      if (missing.length > 0)
        throw new Error(`The cluster does not let the platform ${missing.join(', ')}`)
      logs.begin()
    },
    load: (ref) => measures.load(ref),
    diskUse: (ref) => measures.diskUse(ref),
    diskMark: (ref) => measures.diskMark(ref),
    onServerLog: (take) => logs.onServerLog(take),
    create: (spec) => forProject(spec.ref, (api) => create(api, spec)),
    start: (ref) => inProject(ref, (api) => start(api, ref)),
    stop: (ref) => ifThere(ref, (api) => stop(api, ref)),
    restart: (ref) => inProject(ref, (api) => restart(api, ref)),
    resize: (ref, limits) => inProject(ref, (api) => resize(api, ref, limits)),
    async limits(ref) {
      const project = await findProject(await api(), ref)
      const size = project && annotationOf(project.found, sizeAnnotation)
      return size === undefined ? undefined : { maxConnections: Number(size) }
    },
    destroy: (ref) => forProject(ref, (api) => destroy(api, ref)),
    async inspect(ref) {
      try {
        return await inspect(await api(), ref)
      } catch (error) {
        return { state: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },
    async probe(ref) {
      const cluster = await api()
      if (!isRef(ref)) return false
      const project = await findProject(cluster, ref)
      const address = project && (await addressOf(cluster, project.key))
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
      ifThere(ref, async (api) => {
        const { key } = await getProject(api, ref)
        await order(api, key, { [readOnlyAnnotation]: readOnly ? 'on' : 'off' })
        const { seen } = await look(api, key)
        if (seen.state === 'running') await settleReadOnly(api, key)
      }),
    async close() {
      closing.abort()
      await logs.close()
      // One that could not be opened has nothing to close.
      const cluster = await opened?.catch(() => undefined)
      cluster?.close()
      await place?.close()
    },
  }
}

async function inspect(api: ClusterApi, ref: string): Promise<Observation> {
  const project = await findProject(api, ref)
  if (!project) return { state: 'absent' }
  const { seen } = await look(api, project.key)
  // It has gone since.
  if (seen.state === 'absent') return inspect(api, ref)
  if (seen.state === 'stopping') return { state: 'unknown', reason: 'It is being stopped' }
  if (seen.state !== 'running') return { state: 'stopped' }
  const address = await addressOf(api, project.key)
  if (address) return { state: 'running', address }
  return (await findProject(api, ref))
    ? { state: 'unknown', reason: 'The operator has made no service for it' }
    : { state: 'absent' }
}

/** An order for a server that was started since now. */
const stampedNow = () => ({
  [restartAnnotation]: new Date().toISOString(),
  [hibernationAnnotation]: 'off',
})
