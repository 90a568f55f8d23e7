import { UnknownProjectError } from '../../provider.ts'
import type { ClusterApi } from '../api.ts'
import { ensureOnce } from '../ensure.ts'
import { cluster, type Choices, type Incarnation } from '../manifests.ts'
import {
  clusterApi,
  labelsOf,
  namespaceOf,
  projectLabel,
  type Cluster,
  type ClusterKey,
  type Pod,
} from '../objects.ts'
import { clusterNamed, findCluster, podsOf, reach } from '../project.ts'
import type { Work } from '../work.ts'
import { recoveryFrom, type Source } from './manifests.ts'
import { jobRoleLabel, recoveryJob } from './objects.ts'

/** Replaying takes as long as there is to replay. */
const longestMs = 6 * 60 * 60 * 1000
/** The operator tries by itself again and again; after so many it is not to be expected to succeed. */
const maxFailed = 3

type Recovery = Omit<Incarnation, 'from'> & { from: Source; maxConnections: number }

/** Makes a cluster of what a backup holds, or goes on with one of this name, and waits until it runs. */
export async function recoverCluster(
  { api, choices, work }: { api: ClusterApi; choices: Choices; work: Work },
  ref: string,
  { from, maxConnections, ...incarnation }: Recovery,
): Promise<ClusterKey> {
  const key = { ref, name: incarnation.name }
  const there = await findCluster(api, key)
  if (there?.metadata.deletionTimestamp !== undefined) await removeCluster(api, key, work)
  const spec = { ref, limits: { maxConnections } }
  const recovery = { ...incarnation, from: recoveryFrom(ref, from) }
  await ensureOnce(api, cluster(spec, choices, recovery))
  await reach(api, key, 'running', { ...work.patience, deadlineMs: longestMs }, lostBy).catch(
    (error: unknown) => {
      if (!(error instanceof UnknownProjectError)) throw error
      throw new Error(`Somebody has removed the cluster ${key.name} while it was made`)
    },
  )
  return key
}

function lostBy(pods: readonly Pod[]): string | undefined {
  const failed = pods.filter(
    ({ metadata, status }) =>
      metadata?.labels?.[jobRoleLabel] === recoveryJob && status?.phase === 'Failed',
  )
  return failed.length < maxFailed
    ? undefined
    : `What was backed up cannot be brought back: the job of the operator has failed ${failed.length} times`
}

/** Removes a cluster, with its volumes, and waits until none of its pods is left. Nothing there is fine. */
export async function removeCluster(
  api: ClusterApi,
  key: ClusterKey,
  { patience }: Pick<Work, 'patience'>,
): Promise<void> {
  await api.remove(clusterNamed(key))
  const path = `/api/v1/namespaces/${namespaceOf(key.ref)}/pods`
  const until = performance.now() + patience.deadlineMs
  while ((await findCluster(api, key)) !== undefined || (await podsOf(key, api)).length > 0) {
    if (performance.now() > until) throw new Error(`The cluster ${key.name} is not gone yet`)
    await api.change(path, undefined, Math.min(patience.lookMs, 1000))
  }
}

/** Clusters of a project with these labels. */
export async function clustersOf(
  api: ClusterApi,
  ref: string,
  labels: Record<string, string> = {},
): Promise<ClusterKey[]> {
  const wanted = { [projectLabel]: labelsOf(ref)[projectLabel], ...labels }
  const selector = Object.entries(wanted).map(([name, value]) => `${name}=${value}`)
  const where = { apiVersion: clusterApi, kind: 'Cluster', namespace: namespaceOf(ref) }
  const found = await api.list<Cluster>(where, selector.join(','))
  return found.map(({ metadata }) => ({ ref, name: metadata.name }))
}
