import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { LogDrainOrder } from '#contract/observability/log-drain-shapes'
import { silentLog } from '#kit/log'
import { rounds } from '#kit/testing/rounds'
import { createLogFiles } from '../logs/files/log-files.ts'
import { names, quick, ref } from '../testing/log-drains/bench.ts'
import { fakeControlPlane } from '../testing/log-drains/control-plane.ts'
import type { DrainJob } from '../testing/log-drains/drain-child.ts'
import { startReceiver } from '../testing/log-drains/receiver.ts'
import { doubles, everything } from '../testing/logs/all-ids.ts'
import { bundle } from '../testing/logs/engine-program.ts'
import { afternoon, event } from '../testing/logs/events.ts'
import { openStore } from '../testing/logs/store.ts'
import { createLogDrains } from './log-drains.ts'

let child: string
beforeAll(async () => {
  child = await bundle('data-plane/testing/log-drains/drain-child.ts', 'drain-child')
})

async function setUp() {
  const home = await mkdtemp(join(tmpdir(), 'plinth-drains-'))
  const receiver = await startReceiver()
  const control = fakeControlPlane()
  const order: LogDrainOrder = {
    token: randomUUID(),
    scope: { of: 'project', ref },
    type: 'webhook',
    config: { url: receiver.url },
    revision: 1,
    since: 0,
  }
  const closing: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const close of closing) await close()
    await receiver.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    home,
    receiver,
    control,
    order,
    /** As a process has them. */
    async start() {
      const store = createLogFiles({
        folder: join(home, 'logs'),
        log: silentLog,
        engine: { program: join(home, 'no-engine.js') },
        everyMs: 5,
      })
      await store.ready
      const drains = createLogDrains({
        source: control.source,
        spool: store.spool,
        folder: join(home, 'audits'),
        maxWaitingBytes: 1e9,
        count: () => {},
        reachesLoopback: true,
        log: silentLog,
        timing: { ...quick, lookMs: 50 },
      })
      closing.push(async () => {
        await drains.close()
        await store.close()
      })
      drains.start()
      return store
    },
    left: async () =>
      (await readdir(join(home, 'logs/.drains', ref, order.token))).filter((name) =>
        name.includes('.jsonl'),
      ),
  }
}

test('of several processes each sends what it wrote, and nothing goes twice', async () => {
  const { control, order, receiver, start, home } = await setUp()
  const [one, other] = [await start(), await start()]
  control.put(order)
  await expect
    .poll(() => readdir(join(home, 'logs/.drains', ref, order.token)).catch(() => []))
    .toContain('ready')
  const ids = names(0, 400)
  for (const [at, id] of ids.entries())
    (at % 2 === 0 ? one : other).append(ref, [{ ...event(id, 0), timestamp: Date.now() * 1000 }])
  await expect.poll(() => receiver.ids().toSorted()).toEqual(ids.toSorted())
  control.remove(order.token)
})

test('what is packed while a drain fails is sent later, and whoever reads the log finds it once', async () => {
  const { home, control, order, receiver, left } = await setUp()
  const { store, close } = await openStore({
    folder: join(home, 'logs'),
    limits: { segmentBytes: 4000 },
  })
  const drains = createLogDrains({
    source: control.source,
    spool: store.spool,
    folder: join(home, 'audits'),
    maxWaitingBytes: 1e9,
    count: () => {},
    reachesLoopback: true,
    log: silentLog,
    now: afternoon,
    timing: quick,
  })
  onTestFinished(close)
  onTestFinished(() => drains.close())
  drains.start()
  control.put(order)
  const folder = join(home, 'logs/.drains', ref, order.token)
  await expect.poll(() => readdir(folder).catch(() => [])).toContain('ready')
  receiver.answers((_, response) => response.writeHead(500).end())
  const ids = names(0, 300)
  for (const [at, id] of ids.entries()) {
    store.append(ref, [event(id, at / 100)])
    if (at % 10 === 9) await store.flush()
  }
  await expect.poll(() => control.last(order.token)?.failing_since).not.toBeNull()
  await store.tidyAll()
  const files = await readdir(join(home, 'logs', ref), { recursive: true })
  expect(files.some((name) => name.endsWith('.parquet'))).toBe(true)
  expect(files.filter((name) => name.endsWith('.sealed.jsonl'))).toEqual([])
  expect((await everything(store, ref)).ids).toEqual(ids.toReversed())
  receiver.answers()
  receiver.received.length = 0
  await expect.poll(() => receiver.ids()).toEqual(ids)
  // Nothing waits any more but the file that is written to.
  await expect.poll(async () => (await left()).length).toBeLessThan(3)
})

test('processes that are killed lose nothing that was written, whatever the receiver does', async () => {
  const { home, order, receiver, control, start, left } = await setUp()
  let count = 0
  receiver.answers((_, response) => {
    count += 1
    // Some fail, some break off after everything was taken.
    if (count % 7 === 3) response.writeHead(500).end()
    else if (count % 11 === 5) response.destroy()
    else response.end('{}')
  })
  const written = new Set<string>()
  const all = rounds(4, 20)
  for (let round = 0; round < all; round += 1) {
    const prefix = `r${round}-`
    const job: DrainJob = { home, ref, order, prefix, atOnce: 40, segmentBytes: 20_000 }
    const before = receiver.received.length
    const process = spawn(globalThis.process.execPath, [child, JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      // It has written much and sent some of it.
      const lines = output.split('\n').length
      if (lines > 15 + round * 3 && receiver.received.length > before + 2 + (round % 5))
        process.kill('SIGKILL')
    })
    const [, signal] = (await once(process, 'close')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    const last = Number(output.split('\n').at(-2))
    for (let at = 0; at < last; at += 1) written.add(`${prefix}${at}`)
  }
  const sentByDead = new Set(receiver.ids())
  control.put(order)
  await start()
  const missing = () => {
    const arrived = new Set(receiver.ids())
    return [...written].filter((id) => !arrived.has(id)).length
  }
  await expect.poll(missing).toBe(0)
  await expect.poll(left).toEqual([])
  // What was sent by dead ones is sent again only where nobody knew whether it had arrived.
  const twice = new Set(doubles(receiver.ids()))
  expect(sentByDead.size).toBeGreaterThan(0)
  expect(twice.size).toBeLessThan(receiver.ids().length / 2)
}, 180_000)
