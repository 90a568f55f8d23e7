import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '#kit/config'
import { usualLogBytes } from './log-bytes.ts'

test('logs may take a tenth of the disk, and 20 GB at most', async () => {
  const { bsize, blocks } = await statfs(tmpdir())
  const bytes = await usualLogBytes(tmpdir())
  expect(bytes).toBeLessThanOrEqual(20 * 1024 ** 3)
  expect(bytes).toBeLessThanOrEqual((bsize * blocks) / 10)
  expect(bytes).toBeGreaterThan(Math.min(19 * 1024 ** 3, (bsize * blocks) / 11))
})

test('an operator says it in gigabytes', () => {
  expect(readConfig({}).largestLogs).toBeUndefined()
  expect(readConfig({ PLINTH_LOG_GB: '0.5' }).largestLogs).toBe(512 * 1024 ** 2)
  for (const bad of ['0', '-1', 'much'])
    expect(() => readConfig({ PLINTH_LOG_GB: bad })).toThrow(/^PLINTH_LOG_GB: /)
})
