import { setTimeout as delay } from 'node:timers/promises'
import type { ServerLogEntry } from '#contract/observability/server-log'
import type { Log } from '#kit/log'
import { ClusterApiError, type ClusterApi } from '../api.ts'
import { namespaceOf } from '../objects.ts'
import type { Cursor } from './cursor.ts'
import { createLines, entryOf } from './lines.ts'
import { container, type ServerPod } from './pods.ts'

export type Timings = {
  /** Milliseconds after the first entry in which more are waited for. */
  gatherMs: number
  /** Milliseconds until something is tried again: at first, and at most. */
  retryMs: { first: number; most: number }
}
type Options = Timings & {
  api: ClusterApi
  /** As it is now; undefined: it is gone, or its log is nobody's any more. */
  podNow: () => ServerPod | undefined
  cursor: Cursor
  /** Takes entries over for good; what it rejects is handed over again. */
  take: (ref: string, entries: ServerLogEntry[]) => Promise<void>
  log: Log
  signal: AbortSignal
}

/** Of one line. What follows is left out. */
const maxLineBytes = 256 * 1024
/** Of one message: entries, and bytes of their lines. */
const batch = { entries: 1000, bytes: 512 * 1024 }

type Batch = { entries: { entry: ServerLogEntry; micros: number }[]; bytes: number }

/**
 * Hands over what the server in a pod writes, until the pod is gone. No more is held than one message and one line: while nobody takes a
 * message nothing is read.
 */
export async function followPod(options: Options): Promise<void> {
  const { podNow, cursor, retryMs, signal, log } = options
  let waits = retryMs.first
  let readRestarts = 0
  while (!signal.aborted) {
    const pod = podNow()
    if (!pod) return
    const before = cursor.last()
    try {
      if (pod.restarts > readRestarts) {
        // What the container wrote last before it was started anew.
        await readLog(options, pod, 'previous')
        readRestarts = pod.restarts
      }
      await readLog(options, pod, 'current')
      if (pod.hasEnded) return
    } catch (error) {
      if (signal.aborted) return
      log.debug({ err: error, ref: pod.ref, pod: pod.name }, 'the log of a server broke off')
    }
    if (cursor.last() !== before) waits = retryMs.first
    await delay(waits, undefined, { signal }).catch(() => undefined)
    waits = Math.min(waits * 2, retryMs.most)
  }
}

async function readLog(
  options: Options,
  { ref, name }: ServerPod,
  which: 'previous' | 'current',
): Promise<void> {
  const { api, cursor, signal } = options
  const since = cursor.since()
  const query = {
    container,
    timestamps: 'true',
    ...(which === 'previous' ? { previous: 'true' } : { follow: 'true' }),
    ...(since !== undefined && { sinceTime: since }),
  }
  const path = `/api/v1/namespaces/${namespaceOf(ref)}/pods/${name}/log`
  try {
    await handOn(options, ref, api.stream(path, query, signal))
  } catch (error) {
    // Nobody has kept it.
    const isUnknown = error instanceof ClusterApiError && error.status === 400
    if (which === 'current' || !isUnknown) throw error
  }
}

async function handOn(options: Options, ref: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const { cursor, gatherMs, signal } = options
  const linesOf = createLines(maxLineBytes)
  let gathered: Batch = { entries: [], bytes: 0 }
  const handOver = async () => {
    const { entries } = gathered
    if (entries.length > 0) await taken(options, ref, entries)
    for (const { entry, micros } of entries) cursor.handedOver(entry.id, micros)
    gathered = { entries: [], bytes: 0 }
  }
  const iterator = pieces[Symbol.asyncIterator]()
  const ahead = () => {
    const next = iterator.next()
    // It is looked at below, perhaps after it has failed.
    next.catch(() => undefined)
    return next
  }
  let next = ahead()
  let due: Promise<'due'> | undefined
  try {
    for (;;) {
      const piece = await (due ? Promise.race([next, due]) : next)
      if (piece === 'due') {
        due = undefined
        await handOver()
        continue
      }
      if (piece.done) break
      for (const line of linesOf(piece.value)) {
        const entry = entryOf(line)
        if (!entry || !cursor.isNew(entry.id, line.micros)) continue
        gathered.entries.push({ entry, micros: line.micros })
        gathered.bytes += Buffer.byteLength(line.text)
        if (gathered.entries.length >= batch.entries || gathered.bytes >= batch.bytes)
          await handOver()
      }
      if (gathered.entries.length > 0)
        due ??= delay(gatherMs, 'due' as const, { signal }).catch(() => 'due' as const)
      next = ahead()
    }
  } catch (error) {
    if (signal.aborted) throw error
    await handOver()
    throw error
  } finally {
    await iterator.return?.()
  }
  await handOver()
}

/** @throws when `signal` ends it before somebody has taken them */
async function taken(
  { take, log, retryMs, signal }: Options,
  ref: string,
  entries: Batch['entries'],
): Promise<void> {
  for (let waits = retryMs.first; ; waits = Math.min(waits * 2, retryMs.most)) {
    signal.throwIfAborted()
    try {
      return await take(
        ref,
        entries.map(({ entry }) => entry),
      )
    } catch (error) {
      log.info({ err: error, ref }, 'the log of a server waits: nobody takes it')
      await delay(waits, undefined, { signal })
    }
  }
}
