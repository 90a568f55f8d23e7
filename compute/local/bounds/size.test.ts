import { expect, test } from 'vitest'
import { computeSizeIds, computeSizes } from '#contract/projects/compute-sizes'
import { boundsOf, memorySettings } from './size.ts'

const gigabyte = 1024 ** 3
const roomy = { memoryBytes: 1024 * gigabyte, cores: 128 }
const settingsOf = (id: keyof typeof computeSizes, machine = roomy) =>
  memorySettings(computeSizes[id].directConnections, machine)

test('a larger size never gives a server less of anything', () => {
  const amounts = computeSizeIds.map((id) =>
    Object.values(settingsOf(id)).map((text) => Number.parseInt(text, 10)),
  )
  for (const [at, amount] of amounts.entries())
    for (const [index, value] of amount.entries())
      expect(value, `${computeSizeIds[at]} ${index}`).toBeGreaterThanOrEqual(
        amounts[at - 1]?.[index] ?? 0,
      )
})

test.each([
  ['nano', '32MB', '4MB', '384MB', '4'],
  ['micro', '32MB', '4MB', '384MB', '4'],
  ['small', '256MB', '4MB', '768MB', '4'],
  ['medium', '1024MB', '8MB', '3072MB', '4'],
  ['xlarge', '4096MB', '17MB', '12288MB', '4'],
  ['8xlarge', '16384MB', '66MB', '98304MB', '32'],
] as const)('%s', (id, shared, work, cache, workers) => {
  expect(settingsOf(id)).toMatchObject({
    shared_buffers: shared,
    work_mem: work,
    effective_cache_size: cache,
    max_parallel_workers: workers,
  })
})

test('no setting counts on memory or cores that the machine has not got', () => {
  const machine = { memoryBytes: 2 * gigabyte, cores: 2 }
  expect(settingsOf('16xlarge', machine)).toMatchObject({
    shared_buffers: '512MB',
    effective_cache_size: '1536MB',
    max_parallel_workers: '4',
    max_parallel_workers_per_gather: '2',
  })
})

test('all workers have a place, and one process may map all that is shared', () => {
  for (const id of computeSizeIds) {
    const settings = settingsOf(id)
    expect(Number(settings['max_worker_processes'])).toBeGreaterThan(
      Number(settings['max_parallel_workers']),
    )
    const shared = Number.parseInt(settings['shared_buffers'] ?? '', 10) * 1024 ** 2
    expect(boundsOf(computeSizes[id].directConnections).memoryOfOne).toBeGreaterThan(shared * 1.5)
  }
})
