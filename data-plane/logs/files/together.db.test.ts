import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { rounds } from '#kit/testing/rounds'
import { doubles, everything } from '../../testing/logs/all-ids.ts'
import { logsRef } from '../../testing/logs/conformance.ts'
import { bundle, engineProgram } from '../../testing/logs/engine-program.ts'
import { event, noon, page } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import type { ChildJob } from '../../testing/logs/store-child.ts'

test('who reads while others write, pack and merge sees every entry once', async () => {
  const { store, again, folder, close } = await openStore({ limits: { filesOfDay: 3 } })
  onTestFinished(close)
  const ref = logsRef()
  // The one that packs is the eldest.
  store.append(ref, [event('first', -1)])
  await store.flush()
  const child = await bundle('data-plane/testing/logs/store-child.ts', 'together-child')
  const { program } = await engineProgram()
  const pace = { atOnce: 20, everyMs: 20, segmentBytes: 6000 }
  const job: ChildJob = { folder, program, ref, job: 'write', ...pace }
  const writer = spawn(process.execPath, [child, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void writer.kill('SIGKILL'))
  let written = 0
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    written = Number(text.split('\n').at(-2) ?? written)
  })
  await expect.poll(() => written).toBeGreaterThan(50)

  const reader = again()
  let packing = true
  let packings = 0
  let reads = 0
  const pack = async () => {
    for (; packings < rounds(8, 60) || reads < 3; packings += 1) await store.tidyAll()
    packing = false
  }
  const read = async () => {
    while (packing) {
      const before = written
      const { ids } = await everything(reader, ref)
      reads += 1
      expect(doubles(ids)).toEqual([])
      const found = new Set(ids)
      const missing = Array.from({ length: before }, (_, at) => `${at}`).filter(
        (id) => !found.has(id),
      )
      expect(missing).toEqual([])
    }
  }
  await Promise.all([pack(), read()])
})

test('who follows a log gets entries of several writers that come late, each once and in order', async () => {
  let ms = noon / 1000
  const now = () => ms
  const { store, again, close } = await openStore({ now })
  onTestFinished(close)
  const other = again()
  const ref = logsRef()
  const seen: string[] = []
  let cursor = { timestamp: noon - 1, id: '' }
  const follow = async () => {
    const question = page(-60, 3600, { direction: 'newer', cursor })
    const { events } = await store.page(ref, question, { since: 0, auditSince: 0 })
    seen.push(...events.map(({ id }) => id))
    const last = events.at(-1)
    if (last) cursor = { timestamp: last.timestamp, id: last.id }
  }
  for (let step = 0; step < 20; step += 1) {
    ms += 500
    const seconds = step / 2
    store.append(ref, [event(`a${step}`, seconds + 0.3)])
    // What another process has written some hundred milliseconds later than its time.
    if (step > 0) other.append(ref, [event(`b${step - 1}`, seconds - 0.5 + 0.2)])
    await other.flush()
    await follow()
  }
  ms += 2000
  await follow()
  const expected = Array.from({ length: 20 }, (_, at) => (at < 19 ? [`b${at}`, `a${at}`] : ['a19']))
  expect(seen).toEqual(expected.flat())
})

test('what is followed is there a second after it was written', async () => {
  let ms = noon / 1000
  const { store, close } = await openStore({ now: () => ms })
  onTestFinished(close)
  const ref = logsRef()
  store.append(ref, [event('a', 0)])
  const newer = page(-60, 3600, { direction: 'newer' })
  expect((await store.page(ref, newer, { since: 0, auditSince: 0 })).events).toEqual([])
  // Whoever opens the log sees it at once.
  expect((await store.page(ref, page(-60, 3600), { since: 0, auditSince: 0 })).events).toHaveLength(
    1,
  )
  ms += 1001
  expect((await store.page(ref, newer, { since: 0, auditSince: 0 })).events).toHaveLength(1)
})
