import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { LogDrainOrder } from '#contract/observability/log-drain-shapes'
import { silentLog } from '#kit/log'
import {
  createLogDrains,
  type LogDrains,
  type LogDrainsOptions,
  type Timing,
} from '../../log-drains/log-drains.ts'
import { createLogFiles } from '../../logs/files/log-files.ts'
import { event, noon } from '../logs/events.ts'
import { fakeControlPlane } from './control-plane.ts'
import { startReceiver } from './receiver.ts'

export const ref = 'abcdefghijklmnopqrst'

/** Nobody waits in tests. */
export const quick: Partial<Timing> = {
  gatherMs: 10,
  lookMs: 60_000,
  lookAgainMs: 5,
  auditMs: 20,
  reportMs: 10,
  graceMs: 2000,
  backOff: { firstMs: 5, mostMs: 20 },
}

/** A store of logs, a control plane and a receiver for each test, with a clock that stands still at a minute past noon. */
async function open() {
  const home = await mkdtemp(join(tmpdir(), 'plinth-drains-'))
  const control = fakeControlPlane()
  const receiver = await startReceiver()
  const running = new Set<LogDrains>()
  const counted: { ref: string; entries: number; bytes: number }[] = []
  /** Milliseconds after noon. */
  const clock = { ms: 60_000 }
  const now = () => noon / 1000 + clock.ms
  const openStore = () =>
    createLogFiles({
      folder: join(home, 'logs'),
      log: silentLog,
      // Nobody asks for entries here.
      engine: { program: join(home, 'no-engine.js') },
      now,
      everyMs: 5,
    })
  let store = openStore()
  const folder = join(home, 'logs/.drains')
  const order = (more: Partial<LogDrainOrder> = {}): LogDrainOrder => ({
    token: randomUUID(),
    scope: { of: 'project', ref },
    type: 'webhook',
    config: { url: receiver.url },
    revision: 1,
    since: noon / 1000,
    ...more,
  })
  const endDrains = () => Promise.all([...running].map((drains) => drains.close()))

  return {
    home,
    /** Where lines wait. */
    folder,
    control,
    receiver,
    counted,
    clock,
    store: () => store,
    order,
    start(more: Partial<LogDrainsOptions> = {}): LogDrains {
      const drains = createLogDrains({
        source: control.source,
        spool: store.spool,
        folder: join(home, 'audits'),
        maxWaitingBytes: 1e9,
        count: (of, entries, bytes) => void counted.push({ ref: of, entries, bytes }),
        reachesLoopback: true,
        log: silentLog,
        now,
        ...more,
        timing: { ...quick, ...more.timing },
      })
      running.add(drains)
      drains.start()
      return drains
    },
    /** A drain that has been begun: what is written from now on waits for it. */
    async drain(more: Partial<LogDrainOrder> = {}): Promise<LogDrainOrder> {
      const made = order(more)
      control.put(made)
      await expect
        .poll(() => readdir(join(folder, ref, made.token)).catch(() => []), { interval: 5 })
        .toContain('ready')
      return made
    },
    write: (ids: string[]): void =>
      store.append(
        ref,
        ids.map((id) => event(id, 1)),
      ),
    /** Until exactly these have come. */
    arrived: (ids: string[]) =>
      expect.poll(() => receiver.ids(), { interval: 5, timeout: 10_000 }).toEqual(ids),
    /** Files of lines that wait. */
    async waiting(): Promise<string[]> {
      const found = await readdir(folder, { recursive: true }).catch(() => [])
      return found.filter((name) => name.endsWith('.jsonl'))
    },
    endDrains,
    /** The process ends, and another one begins. */
    async restart(): Promise<void> {
      await endDrains()
      running.clear()
      await store.close()
      store = openStore()
      await store.ready
    },
    async close(): Promise<void> {
      await endDrains()
      await store.close()
      await receiver.close()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
export type DrainBench = Awaited<ReturnType<typeof open>>

/** One for each test; answers how to get at that of the present one. */
export function drainBench(): () => DrainBench {
  let bench: DrainBench | undefined
  beforeEach(async () => {
    bench = await open()
    await bench.store().ready
  })
  afterEach(() => bench?.close())
  return () => {
    if (!bench) throw new Error('A test has not begun')
    return bench
  }
}

export const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `e${from + at}`)
