import { expect, test } from 'vitest'
import type { PlaneReport } from '#contract/operations/planes'
import { createLog } from '#kit/log'
import { startSigns } from './signs-of-life.ts'

function started(refusals: number, startMs = 500) {
  const said: PlaneReport[] = []
  const lines: string[] = []
  let left = refusals
  const signs = startSigns({
    async send(report) {
      if (left-- > 0) throw new Error('nobody listens')
      said.push(report)
    },
    place: 'here:8001',
    log: createLog('data-plane', 'info', { write: (line) => void lines.push(line) }),
    everyMs: 5,
    startMs,
  })
  return { said, lines, signs }
}

test('a data plane says that it is there, again and again, and at last that it goes', async () => {
  const { said, lines, signs } = started(0)
  await expect.poll(() => said.length).toBeGreaterThan(2)
  await signs.end()
  const last = said.at(-1)
  expect(last).toMatchObject({ place: 'here:8001', ends: true })
  expect(said.slice(0, -1).every(({ ends }) => !ends)).toBe(true)
  expect(new Set(said.map(({ started_at }) => started_at)).size).toBe(1)
  expect(lines).toEqual([])
})

test('where nobody listens yet it says nothing of it; when that goes on, it does', async () => {
  const once = started(1)
  await expect.poll(() => once.said.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(once.lines).toEqual([])
  await once.signs.end()
  const twice = started(2)
  await expect.poll(() => twice.said.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(twice.lines).toHaveLength(1)
  await twice.signs.end()
})

test('a control plane that takes long on its first start is waited for without a word', async () => {
  const { said, lines, signs } = started(3, 60_000)
  await expect.poll(() => said.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(lines).toEqual([])
  await signs.end()
})
