import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { ClusterApi } from '../api.ts'
import { clusterLabel, isRef, namespaceOf, type Pod } from '../objects.ts'
import { createPieces } from './pieces.ts'

/** A pod in which a server of a project runs, or has run. */
export type ServerPod = {
  uid: string
  ref: string
  name: string
  /** Which of the project's clusters it is of. */
  cluster: string
  /** Something has been written there. */
  hasBegun: boolean
  /** Nothing more will be. */
  hasEnded: boolean
  /** How often its container was started anew; each time it begins another log. */
  restarts: number
}

export const container = 'postgres'
const path = '/api/v1/pods'
const againMs = 1000

const Change = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.custom<Pod>((value) => typeof value === 'object' && value !== null),
})

function serverPod({ metadata, spec, status }: Pod): ServerPod | undefined {
  const { uid, name, namespace = '', labels } = metadata ?? {}
  const ref = namespace.slice(namespaceOf('').length)
  const cluster = labels?.[clusterLabel]
  const isOurs = isRef(ref) && namespace === namespaceOf(ref)
  const isServer = spec?.containers.some((one) => one.name === container)
  if (!isOurs || !isServer || !uid || !name || !cluster) return undefined
  const { restartCount = 0, state } =
    status?.containerStatuses?.find((one) => one.name === container) ?? {}
  return {
    uid,
    ref,
    name,
    cluster,
    hasBegun: restartCount > 0 || Boolean(state?.running ?? state?.terminated),
    hasEnded: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    restarts: restartCount,
  }
}

/**
 * Tells of all pods of projects again and again as they change, until `signal` ends it: read once, and then by what the API server tells of
 * changes. Whatever ends that, they are read anew.
 */
export async function watchPods(
  api: ClusterApi,
  tell: (pods: ReadonlyMap<string, ServerPod>) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readAndWatch(api, tell, signal)
    } finally {
      await delay(againMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function readAndWatch(
  api: ClusterApi,
  tell: (pods: ReadonlyMap<string, ServerPod>) => void,
  signal: AbortSignal,
): Promise<void> {
  const pods = new Map<string, ServerPod>()
  const put = (pod: Pod, isThere: boolean) => {
    const seen = serverPod(pod)
    if (seen && isThere) pods.set(seen.uid, seen)
    else pods.delete(pod.metadata?.uid ?? '')
  }
  const all = await api.listed<Pod>({ apiVersion: 'v1', kind: 'Pod' }, clusterLabel)
  for (const pod of all.items) put(pod, true)
  tell(pods)
  const query = { watch: 'true', resourceVersion: all.version, labelSelector: clusterLabel }
  const lines = createPieces()
  for await (const piece of api.stream(path, query, signal))
    for (const line of lines(piece)) {
      const change = Change.parse(JSON.parse(line))
      // Too old a version, most often.
      if (change.type === 'ERROR') return
      if (change.type === 'BOOKMARK') continue
      put(change.object, change.type !== 'DELETED')
      tell(pods)
    }
}
