import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { createLimiter } from '#kit/concurrency'
import type { ServerLogEntry } from '#contract/observability/server-log'
import type { Log } from '#kit/log'
import type { ClusterApi } from '../api.ts'
import { annotationOf } from '../objects.ts'
import { isGoing, keyIn, namespaceNamed } from '../project.ts'
import { amend } from '../work.ts'
import { createCursor, type Cursor, type Place } from './cursor.ts'
import { followPod, type Timings } from './follow-pod.ts'
import { watchPods, type ServerPod } from './pods.ts'
import { createTurn, type Turn } from './turn.ts'

export type LogTimings = Timings & {
  /** Milliseconds after which another control plane goes on where one says nothing any more. */
  leaseMs: number
  /** Milliseconds after which it is said again that this one goes on. */
  renewMs: number
  /** Milliseconds after which it is noted how far logs were handed over. */
  noteMs: number
}
const usual: LogTimings = {
  gatherMs: 300,
  retryMs: { first: 1000, most: 60_000 },
  leaseMs: 30_000,
  renewMs: 10_000,
  noteMs: 60_000,
}
type Take = (ref: string, entries: ServerLogEntry[]) => Promise<void>
type Options = {
  api: () => Promise<ClusterApi>
  platformNamespace: string
  log: Log
  timings?: Partial<LogTimings> | undefined
}

/** On the namespace of a project: how far the logs of its pods were handed over, by the ids of the pods. */
export const cursorAnnotation = 'plinth/server-log'
const Cursors = z.record(z.string(), z.object({ at: z.number(), ids: z.array(z.string()) }))
const cursorsOf = (text: string | undefined) => (text ? Cursors.parse(JSON.parse(text)) : {})

/** Milliseconds that an end may take. */
const longestEndMs = 5000

type Followed = { ref: string; cursor: Cursor; noted: number; ended: boolean }

/**
 * Hands over what the servers of projects write, by one control plane of all. Nothing of it is kept here: what the API server
 * still has of a log is read from where it was left, which stands on the project's namespace.
 */
export function createClusterLogs({ api, platformNamespace, log, timings }: Options) {
  const times = { ...usual, ...timings }
  const closing = new AbortController()
  let take: Take | undefined
  let running: Promise<void> | undefined

  async function run(handOver: Take): Promise<void> {
    const cluster = await api()
    const turn = createTurn(cluster, platformNamespace, times.leaseMs)
    while (!closing.signal.aborted) {
      try {
        if (await turn.take())
          await shipLogs({
            api: cluster,
            turn,
            take: handOver,
            log,
            times,
            closing: closing.signal,
          })
      } catch (error) {
        if (!closing.signal.aborted)
          log.warn({ err: error }, 'the logs of servers in the cluster wait')
      }
      await delay(times.renewMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
    await turn.giveBack()
  }
  return {
    onServerLog(next: Take): void {
      take = next
    },
    begin(): void {
      if (!take) return
      running ??= run(take).catch((error: unknown) => {
        if (!closing.signal.aborted)
          log.error({ err: error }, 'the logs of servers stay where they are')
      })
    },
    async close(): Promise<void> {
      closing.abort()
      const ended = new AbortController()
      const patience = delay(longestEndMs, undefined, { signal: ended.signal }).catch(
        () => undefined,
      )
      await Promise.race([running, patience])
      ended.abort()
    },
  }
}

type Shipping = {
  api: ClusterApi
  turn: Turn
  take: Take
  log: Log
  times: LogTimings
  closing: AbortSignal
}

/** As long as it has the turn. */
async function shipLogs({ api, turn, take, log, times, closing }: Shipping): Promise<void> {
  const lost = new AbortController()
  const signal = AbortSignal.any([closing, lost.signal])
  const followed = new Map<string, Followed>()
  const work = new Set<Promise<unknown>>()
  /** Which pods of a project were looked at. */
  const looked = new Map<string, string>()
  const fewAtOnce = createLimiter({ concurrency: 8 })
  let pods: ReadonlyMap<string, ServerPod> = new Map()

  function inBackground(what: string, promise: Promise<unknown>): void {
    const settled = promise.catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, what)
    })
    work.add(settled)
    void settled.then(() => work.delete(settled))
  }
  /** Also while the API server does not answer, and nobody can say so again. */
  const inTurn: Take = async (ref, entries) => {
    if (!turn.has()) throw new Error('Another control plane may hand over logs by now')
    await take(ref, entries)
  }
  function begin(pod: ServerPod, from: Place | undefined): void {
    const one: Followed = {
      ref: pod.ref,
      cursor: createCursor(from),
      noted: from?.at ?? 0,
      ended: false,
    }
    followed.set(pod.uid, one)
    const podNow = () => pods.get(pod.uid)
    const { cursor } = one
    const whole = followPod({ ...times, api, podNow, cursor, take: inTurn, log, signal })
    inBackground(
      'the log of a server is not followed',
      whole.finally(() => (one.ended = true)),
    )
  }
  /** A project may have other clusters beside its own: one that becomes it, was it, or reads a backup back. */
  async function look(ref: string): Promise<void> {
    const home = await api.find(namespaceNamed(ref))
    if (!home || isGoing(home)) return
    const { name } = keyIn(ref, home)
    const cursors = cursorsOf(annotationOf(home, cursorAnnotation))
    for (const pod of pods.values())
      if (pod.ref === ref && pod.cluster === name && pod.hasBegun && !followed.has(pod.uid))
        begin(pod, cursors[pod.uid])
  }
  function lookAtChanged(): void {
    for (const [uid, { ended }] of followed) if (ended && !pods.has(uid)) followed.delete(uid)
    const shapes = new Map<string, string>()
    for (const { uid, ref, hasBegun } of pods.values())
      shapes.set(ref, `${shapes.get(ref) ?? ''} ${uid}${hasBegun ? '!' : ''}`)
    for (const ref of looked.keys()) if (!shapes.has(ref)) looked.delete(ref)
    for (const [ref, shape] of shapes) {
      if (looked.get(ref) === shape) continue
      looked.set(ref, shape)
      const again = (error: unknown) => {
        looked.delete(ref)
        throw error
      }
      inBackground('the log of a project waits', fewAtOnce(() => look(ref)).catch(again))
    }
  }
  async function note(): Promise<void> {
    const changed = [...followed.values()].filter(({ cursor, noted }) => cursor.last() !== noted)
    for (const ref of new Set(changed.map((one) => one.ref))) {
      const own = [...followed].filter(([, one]) => one.ref === ref)
      const places = own.map(([uid, one]) => [uid, one.cursor.place()] as const)
      // One that goes has no use for it any more.
      if (!(await api.find(namespaceNamed(ref)))) continue
      await amend(api, namespaceNamed(ref), (home) => {
        const before = annotationOf(home, cursorAnnotation)
        const known = cursorsOf(before)
        const isBehind = ([uid, { at }]: (typeof places)[number]) => at < (known[uid]?.at ?? 0)
        const next = places.map((one) => (isBehind(one) ? [one[0], known[one[0]]] : one))
        const text = JSON.stringify(Object.fromEntries(next))
        return text === before ? undefined : { [cursorAnnotation]: text }
      })
      for (const [uid, { at }] of places) {
        const one = followed.get(uid)
        if (one) one.noted = at
      }
    }
  }

  async function watch(): Promise<void> {
    const tell = (now: ReadonlyMap<string, ServerPod>) => {
      pods = now
      lookAtChanged()
    }
    while (!signal.aborted)
      await watchPods(api, tell, signal).catch((error: unknown) => {
        if (!signal.aborted) log.debug({ err: error }, 'the watch over pods broke off')
      })
  }
  inBackground('the pods of the cluster are not watched', watch())
  let notedAt = performance.now()
  try {
    while (!closing.aborted) {
      await delay(times.renewMs, undefined, { signal: closing }).catch(() => undefined)
      if (closing.aborted) break
      await turn.take().catch((error: unknown) => {
        log.info({ err: error }, 'who hands over logs could not be said')
      })
      if (!turn.has()) break
      lookAtChanged()
      if (performance.now() - notedAt < times.noteMs) continue
      notedAt = performance.now()
      await note()
    }
  } finally {
    lost.abort()
    await Promise.all(work)
    await note()
  }
}
