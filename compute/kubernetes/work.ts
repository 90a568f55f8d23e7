import { setTimeout as delay } from 'node:timers/promises'
import type { KubernetesObject } from '@kubernetes/client-node'
import type { DatabaseAddress } from '../provider.ts'
import { ClusterApiError, type ClusterApi, type Named } from './api.ts'
import { holdReadOnly } from './database-store.ts'
import { ensure, ensureOnce } from './ensure.ts'
import { namespace, policies, quota, superuserSecret } from './manifests.ts'
import { annotationOf, readOnlyAnnotation, type Cluster, type ClusterKey } from './objects.ts'
import type { Neighbours } from './policies.ts'
import {
  addressOf,
  adminOf,
  apiServersOf,
  clusterNamed,
  findCluster,
  namespaceNamed,
  reach,
  type Patience,
} from './project.ts'

const againMs = 250
/** Nobody listens, the password is not known yet, the server starts or ends. */
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', '28P01', '57P01', '57P03'])
const attempts = 10

/** Writes what is to be onto a cluster. */
export function order(
  api: ClusterApi,
  key: ClusterKey,
  annotations: Record<string, string>,
  spec?: Partial<Cluster['spec']>,
): Promise<KubernetesObject> {
  const { metadata, ...rest } = clusterNamed(key)
  return api.merge({ ...rest, metadata: { ...metadata, annotations }, ...(spec && { spec }) })
}

/**
 * Changes what is written on an object by what is written there now. Whoever else changes it meanwhile is not overwritten: it is read
 * again. Undefined: there is nothing to change.
 */
export async function amend(
  api: ClusterApi,
  named: Named,
  change: (there: KubernetesObject) => Record<string, string> | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const there = await api.find(named)
    if (!there) throw new Error(`There is no ${named.kind} ${named.metadata.name}`)
    const annotations = change(there)
    if (!annotations) return
    const { resourceVersion } = there.metadata ?? {}
    const metadata = { ...named.metadata, annotations, ...(resourceVersion && { resourceVersion }) }
    try {
      return void (await api.merge({ ...named, metadata }))
    } catch (error) {
      const isRace = error instanceof ClusterApiError && error.status === 409
      if (!isRace || attempt === attempts) throw error
    }
  }
}

/** Everything that a project has beside its cluster. */
export async function furnish(
  api: ClusterApi,
  ref: string,
  { maxConnections, ...neighbours }: Omit<Neighbours, 'apiServers'> & { maxConnections: number },
): Promise<void> {
  const around = { ...neighbours, apiServers: await apiServersOf(api) }
  await ensure(api, namespace(ref))
  // Before there is anything that they could keep from somebody.
  for (const policy of policies(ref, around)) await ensure(api, policy)
  const withBackups = neighbours.bucket !== undefined
  await ensure(api, quota(ref, maxConnections, { withBackups }))
  await ensureOnce(api, superuserSecret(ref))
}

export async function uidOf(api: ClusterApi, ref: string): Promise<string> {
  const uid = (await api.find(namespaceNamed(ref)))?.metadata?.uid
  if (!uid) throw new Error(`Project ${ref} has no namespace`)
  return uid
}

export async function addressKnown(api: ClusterApi, key: ClusterKey): Promise<DatabaseAddress> {
  const address = await addressOf(api, key)
  if (!address) throw new Error(`The operator has made no service for project ${key.ref}`)
  return address
}

/** What waits for a cluster and its server. */
export function createWork(patience: Patience, closing: AbortSignal) {
  /** A server that has just been reported ready may refuse the first ones, and learns a new password a moment later. */
  async function settled<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + Math.min(patience.deadlineMs, 60_000)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const code = error instanceof Object && 'code' in error ? error.code : undefined
        if (!passing.has(String(code)) || performance.now() > until) throw error
        await delay(againMs, undefined, { signal: closing })
      }
    }
  }
  return {
    patience,
    closing,
    settled,
    async up(api: ClusterApi, key: ClusterKey): Promise<DatabaseAddress> {
      await reach(api, key, 'running', patience)
      return addressKnown(api, key)
    },
    /** What was said while it did not run is made so. */
    async settleReadOnly(api: ClusterApi, key: ClusterKey): Promise<void> {
      const cluster = await findCluster(api, key)
      const wanted = cluster !== undefined && annotationOf(cluster, readOnlyAnnotation) === 'on'
      await settled(async () => holdReadOnly(await adminOf(api, key), wanted))
    },
  }
}
export type Work = ReturnType<typeof createWork>
