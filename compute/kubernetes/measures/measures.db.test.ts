import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ask, loginsOf, specOf, testRef } from '../../testing/conformance-project.ts'
import { kubernetesHarness, type KubernetesHarness } from '../../testing/kubernetes/harness.ts'
import type { DatabaseAddress, Provider } from '../../provider.ts'
import { createKubernetesProvider } from '../kubernetes.ts'
import { customerRole, superuser } from '../objects.ts'

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
/** What a kernel tells a container of itself. */
const controlGroup = join(tmpdir(), `plinth-group-${process.pid}`)
let harness: KubernetesHarness
let provider: Provider
let ref: string
let at: DatabaseAddress
beforeAll(async () => {
  await mkdir(controlGroup)
  harness = await kubernetesHarness()
  provider = createKubernetesProvider({ ...harness.options, controlGroup })
  ref = testRef()
  at = await provider.create(specOf(ref))
})
afterAll(async () => {
  await provider.close()
  await harness.close()
  await rm(controlGroup, { recursive: true })
})

const tell = (file: string, lines: string) => writeFile(join(controlGroup, file), lines)

test('nobody can tell the load where the kernel does not count that way', async () => {
  expect(await provider.load?.(ref)).toBeUndefined()
  await tell('cpu.stat', 'nr_periods 7\n')
  expect(await provider.load?.(ref)).toBeUndefined()
})

test('the load of a server is that of its container, with its connections', async () => {
  await tell('cpu.stat', 'usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n')
  await tell('memory.stat', 'anon 1048576\nfile 999999999\nkernel 1\nshmem 524288\n')
  const before = await provider.load?.(ref)
  expect(before).toEqual({
    cpuSeconds: 1.5,
    memoryBytes: 1048576 + 524288,
    connections: 0,
    start: expect.any(String) as string,
  })
  await tell('io.stat', '8:0 rbytes=100 wbytes=200 rios=1\n259:0 rbytes=1 wbytes=2 dbytes=0\n')
  const sleeping = ask(at, customer(ref), 'select pg_sleep(600)').catch(String)
  await expect
    .poll(() => provider.load?.(ref), { timeout: 20_000 })
    .toEqual({ ...before, connections: 1, disk: { read: 101, written: 202 } })
  const { start } = (await provider.load?.(ref)) ?? {}
  expect(start).toBe(before?.start)
  await provider.restart(ref)
  await sleeping
  const after = await provider.load?.(ref)
  expect(after?.start).not.toBe(before?.start)
})

test('a server that does not run, and a project that is not there, are not measured', async () => {
  const { load, diskUse, diskMark } = provider
  expect(await load?.(ref)).toBeDefined()
  await provider.stop(ref)
  for (const measure of [load, diskUse, diskMark]) {
    expect(await measure?.(ref)).toBeUndefined()
    expect(await measure?.(testRef())).toBeUndefined()
    expect(await measure?.('../../etc/passwd')).toBeUndefined()
  }
  await provider.start(ref)
  expect(await load?.(ref)).toBeDefined()
})

test('of a project that was made anew the new server is asked, however the old one was known', async () => {
  const made = testRef()
  onTestFinished(() => provider.destroy(made))
  const first = await provider.create(specOf(made))
  await ask(first, customer(made), 'create table t as select generate_series(1, 100000) n')
  const before = await provider.diskUse?.(made)
  await provider.destroy(made)
  expect(await provider.diskUse?.(made)).toBeUndefined()
  await provider.create(specOf(made))
  const after = await provider.diskUse?.(made)
  expect(after?.database).toBeGreaterThan(0)
  expect(after?.database).toBeLessThan((before?.database ?? 0) - 1_000_000)
})
