import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { UsageReport } from '#contract/billing/usage-metrics'
import { createLog, silentLog, type Log } from '#kit/log'
import { createMeter, type Meter } from './meter.ts'

const ref = 'abcdefghijklmnopqrst'

async function folderOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-meter-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Takes what it is sent, as the control plane does: the highest value of a bucket counts. */
function taker() {
  const values = new Map<string, number>()
  const state = { isAway: false, reports: 0 }
  return {
    state,
    async send({ buckets }: UsageReport) {
      if (state.isAway) throw new Error('nobody is there')
      state.reports += 1
      for (const { start, metric, minute, value } of buckets) {
        const key = `${start} ${metric} ${minute}`
        values.set(key, Math.max(values.get(key) ?? 0, value))
      }
      return { refused: 0 }
    },
    total: () => [...values.values()].reduce((sum, value) => sum + value, 0),
  }
}

const quick = { syncMs: 5, sendMs: 10 }
const meterIn = (
  folder: string,
  send: ReturnType<typeof taker>['send'],
  more = {},
  log: Log = silentLog,
): Meter => createMeter({ folder, send, log, ...quick, ...more })

test('where nothing can be written, use is sent all the same, and the log says so', async () => {
  const folder = await folderOf()
  const file = join(folder, 'file')
  await writeFile(file, '')
  const lines: string[] = []
  const log = createLog('test', 'error', { write: (line: string) => void lines.push(line) })
  const { send, total } = taker()
  const meter = meterIn(join(file, 'usage'), send, {}, log)
  meter.add(ref, 'egress_rest', 5)
  await expect.poll(total, { interval: 5 }).toBe(5)
  meter.add(ref, 'egress_rest', 2)
  await expect.poll(total, { interval: 5 }).toBe(7)
  await meter.close()
  expect(lines.length).toBeGreaterThan(0)
  expect(
    lines.every(
      (line) => line.includes('cannot be written down') || line.includes('cannot be read'),
    ),
  ).toBe(true)
})

test('a process that was taken for dead and lives goes on, and nothing is lost or counted twice', async () => {
  const folder = await folderOf()
  const { send, total, state } = taker()
  const away = taker()
  away.state.isAway = true
  // Nobody takes what the first one sends, and it shows no sign of life for long.
  const sleepy = meterIn(folder, away.send, { syncMs: 400 })
  sleepy.add(ref, 'egress_rest', 5)
  await expect.poll(async () => (await readdir(folder)).length, { interval: 5 }).toBe(1)
  const eager = meterIn(folder, send, { deadMs: 20 })
  await expect.poll(total, { interval: 5 }).toBe(5)
  await expect.poll(async () => (await readdir(folder)).length, { interval: 1 }).toBe(0)
  sleepy.add(ref, 'egress_rest', 2)
  // It writes its file anew, with the same bucket.
  await expect.poll(total, { interval: 5 }).toBe(7)
  await sleepy.close()
  await expect.poll(async () => (await readdir(folder)).length, { interval: 5 }).toBe(0)
  await eager.close()
  expect(total()).toBe(7)
  expect(state.reports).toBeGreaterThan(1)
})

test('one that closes while nobody takes anything leaves its journal to the next', async () => {
  const folder = await folderOf()
  const { send, total, state } = taker()
  state.isAway = true
  const first = meterIn(folder, send)
  first.beforeSync(() => first.peak(ref, 'realtime_connections', 3))
  first.add(ref, 'egress_rest', 5)
  await first.close()
  expect(await readdir(folder)).toHaveLength(1)
  state.isAway = false
  const second = meterIn(folder, send, { deadMs: 20 })
  await expect.poll(total, { interval: 5 }).toBe(8)
  await expect.poll(async () => (await readdir(folder)).length, { interval: 5 }).toBe(0)
  await second.close()
})
