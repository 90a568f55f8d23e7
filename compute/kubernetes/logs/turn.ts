import { randomUUID } from 'node:crypto'
import type { ClusterApi } from '../api.ts'
import { annotationOf } from '../objects.ts'
import { ClusterApiError } from '../api.ts'

/** On the platform's own namespace: who hands over the logs of servers, and how often they have said so. */
export const turnAnnotation = 'plinth/server-logs'

/**
 * Of several control planes one hands over logs. Whoever has the turn says so again and again; when that does not change for `leaseMs`
 * another one takes it. Nobody compares clocks: each measures by its own how long nothing has changed.
 */
export function createTurn(
  api: ClusterApi,
  namespace: string,
  leaseMs: number,
  now: () => number = () => performance.now(),
) {
  const own = randomUUID()
  const named = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  let count = 0
  let seen: { text: string; at: number } | undefined
  let heldAt: number | undefined

  /** False: somebody else was faster. */
  async function write(text: string, resourceVersion: string | undefined): Promise<boolean> {
    const metadata = {
      ...named.metadata,
      annotations: { [turnAnnotation]: text },
      ...(resourceVersion && { resourceVersion }),
    }
    try {
      await api.merge({ ...named, metadata })
      return true
    } catch (error) {
      if (error instanceof ClusterApiError && error.status === 409) return false
      throw error
    }
  }
  async function read() {
    const there = await api.find(named)
    if (!there) throw new Error(`There is no namespace ${namespace}, where logs are agreed on`)
    return {
      text: annotationOf(there, turnAnnotation) ?? '',
      version: there.metadata?.resourceVersion,
    }
  }

  return {
    /** Takes the turn, or goes on having it. To be called several times within `leaseMs`. */
    async take(): Promise<boolean> {
      const asked = now()
      const { text, version } = await read()
      if (text !== seen?.text) seen = { text, at: now() }
      const [holder] = text.split(' ')
      const isFree = holder === '' || holder === own || now() - seen.at >= leaseMs
      if (!isFree) {
        heldAt = undefined
        return false
      }
      count += 1
      // Counted from before the question: others count from when they see the answer.
      if (await write(`${own} ${count}`, version)) heldAt = asked
      return this.has()
    },
    /** Whoever could not say so for long must not go on. */
    has: (): boolean => heldAt !== undefined && now() - heldAt < leaseMs,
    /** So that the next one need not wait. */
    async giveBack(): Promise<void> {
      if (!this.has()) return
      heldAt = undefined
      const { text, version } = await read()
      if (text.startsWith(own)) await write('', version)
    },
  }
}
export type Turn = ReturnType<typeof createTurn>
