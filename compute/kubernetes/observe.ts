import { sidecarName } from './backups/objects.ts'
import {
  annotationOf,
  hibernationAnnotation,
  readyAnnotation,
  restartAnnotation,
  type Cluster,
  type Pod,
} from './objects.ts'

/** What the operator says when nothing but a change by hand helps. */
const hopeless = [
  'Cluster is unrecoverable',
  'Invalid cluster definition',
  'Unable to create required cluster objects',
]

export type Seen =
  /** No project: nothing, what a create left that was broken off, or what is on its way out. */
  | { state: 'absent' }
  /** It is to run and does not yet, or not right now, or not yet as it was ordered. */
  | { state: 'coming'; phase: string; hopeless: boolean }
  | { state: 'running' }
  | { state: 'stopping' }
  | { state: 'stopped' }

const hasCondition = ({ status }: Cluster, type: string): boolean =>
  status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false

export const isProject = (cluster: Cluster | undefined): cluster is Cluster =>
  cluster !== undefined &&
  cluster.metadata?.deletionTimestamp === undefined &&
  annotationOf(cluster, readyAnnotation) === 'true'

/** The phase alone never says that a cluster runs: a hibernated one may be called healthy, too. */
export function seenOf(cluster: Cluster | undefined, pods: readonly Pod[]): Seen {
  if (!cluster || cluster.metadata?.deletionTimestamp !== undefined) return { state: 'absent' }
  if (annotationOf(cluster, hibernationAnnotation) === 'on') {
    const hibernated = hasCondition(cluster, hibernationAnnotation) && pods.length === 0
    return { state: hibernated ? 'stopped' : 'stopping' }
  }
  const isReady =
    hasCondition(cluster, 'Ready') &&
    cluster.status?.readyInstances === cluster.spec.instances &&
    pods.length === cluster.spec.instances &&
    pods.every((pod) => isAsOrdered(pod, cluster))
  if (isReady) return { state: 'running' }
  const phase = cluster.status?.phase ?? 'it has not been looked at'
  return {
    state: 'coming',
    phase: [phase, cluster.status?.phaseReason].filter(Boolean).join(': '),
    hopeless: hopeless.some((start) => phase.startsWith(start)),
  }
}

/** A pod from before the last order may be ready, and is not what was asked for. */
function isAsOrdered(pod: Pod, cluster: Cluster): boolean {
  if (pod.metadata?.deletionTimestamp !== undefined) return false
  const limits = pod.spec?.containers.find(({ name }) => name === 'postgres')?.resources?.limits
  const wanted = cluster.spec.resources.limits
  const { containers = [], initContainers = [] } = pod.spec ?? {}
  const archives = [...containers, ...initContainers].some(({ name }) => name === sidecarName)
  if (cluster.spec.plugins?.length && !archives) return false
  return (
    annotationOf(pod, restartAnnotation) === annotationOf(cluster, restartAnnotation) &&
    limits?.cpu === wanted.cpu &&
    limits.memory === wanted.memory
  )
}
