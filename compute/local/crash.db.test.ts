import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverConnections } from '#contract/projects/compute-sizes'
import { places } from '#kit/testing/rounds'
import { ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { crashBench, type CrashBench } from '../testing/crash.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

let harness: LocalHarness
let bench: CrashBench
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  bench = await crashBench(harness)
})
afterAll(async () => {
  await harness.close()
  await bench.close()
})
const crash: CrashBench['crash'] = (...how) => bench.crash(...how)

const steps = ['claimed', 'placed', 'started', 'secured'] as const
const inCreate = (few: readonly (typeof steps)[number][]) =>
  places(steps, few).map((step) => `compute.create.${step}`)

test.each(inCreate(['placed', 'secured']))(
  'create killed at %s: nothing usable is left, and another create works',
  async (step) => {
    const ref = testRef()
    expect(await crash('create', ref, step)).toBe('SIGKILL')
    const provider = await harness.reopen()
    expect(await provider.list()).toContain(ref)
    expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
    const at = await provider.create(specOf(ref))
    expect(await ask(at, customer(ref), 'select 1')).toBe(1)
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
)

test.each(inCreate(['started']))(
  'create killed at %s: destroy removes every trace',
  async (step) => {
    const ref = testRef()
    expect(await crash('create', ref, step)).toBe('SIGKILL')
    const provider = await harness.reopen()
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
    expect(await provider.list()).not.toContain(ref)
  },
)

test.each(['stopped', 'discarded'].map((step) => `compute.destroy.${step}`))(
  'destroy killed at %s: destroying again removes every trace',
  async (step) => {
    const ref = testRef()
    await (await harness.reopen()).create(specOf(ref))
    expect(await crash('destroy', ref, step)).toBe('SIGKILL')
    const provider = await harness.reopen()
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
)

const inRestore = places(['unpacked', 'prepared', 'named', 'discarded'], ['prepared', 'named'])
test.each(inRestore.map((step) => `compute.restore.${step}`))(
  'restore killed at %s: the project starts with all of the old rows or all of the restored ones, and can be restored again',
  async (step) => {
    const ref = testRef()
    const spec = specOf(ref)
    let provider = await harness.reopen()
    const at = await provider.create(spec)
    await ask(at, customer(ref), 'create table t as select generate_series(1, 10) as n')
    await provider.backups?.make({ ref, id: '1' }, spec.passwords.admin)
    await ask(at, customer(ref), 'delete from t where n > 4')
    expect(await crash('restore', ref, step)).toBe('SIGKILL')
    provider = await harness.reopen()
    const counted = await ask(
      await provider.start(ref),
      customer(ref),
      'select count(*)::int from t',
    )
    expect(counted).toBe(step.endsWith('named') || step.endsWith('discarded') ? 10 : 4)
    const again = await provider.backups?.restore(spec, { ref, id: '1' }, 'order')
    if (!again) throw new Error('This provider keeps no backups')
    expect(await ask(again, customer(ref), 'select count(*)::int from t')).toBe(10)
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
)

const inMasking = [
  'compute.restore.unpacked',
  'compute.copy.masked',
  'compute.copy.rewritten',
  'compute.restore.prepared',
  'compute.restore.named',
] as const
test.each(places(inMasking, ['compute.copy.masked', 'compute.copy.rewritten']))(
  'a masked copy killed at %s: it has no value of before, whether it starts or is made again',
  async (step) => {
    const [source, copy] = [testRef(), testRef()]
    let provider = await harness.reopen()
    const at = await provider.create(specOf(source))
    await ask(at, customer(source), `create table t as select 'secret' as word`)
    await provider.backups?.make({ ref: source, id: '1' }, specOf(source).passwords.admin)
    expect(await bench.crash('masked copy', copy, step, source)).toBe('SIGKILL')
    provider = await harness.reopen()
    const wordOf = async (there: Awaited<ReturnType<typeof provider.start>>) =>
      ask(there, customer(copy), 'select word from t')
    // One that is not whole is not there.
    if ((await provider.inspect(copy)).state !== 'absent')
      expect(await wordOf(await provider.start(copy))).toBe('masked')
    else await expect(provider.start(copy)).rejects.toThrow()
    const again = await provider.backups?.restore(specOf(copy), { ref: source, id: '1' }, 'order', {
      rows: true,
      masks: [{ schema: 'public', table: 't', column: 'word', kind: 'fixed', text: 'masked' }],
    })
    if (!again) throw new Error('This provider keeps no backups')
    expect(await wordOf(again)).toBe('masked')
    for (const ref of [copy, source]) {
      await provider.destroy(ref)
      expect(await harness.tracesOf(ref)).toEqual([])
    }
  },
)

test.each(['stopped', 'written'].map((step) => `compute.resize.${step}`))(
  'resize killed at %s: the rows are there, and resizing again gives the new size',
  async (step) => {
    const ref = testRef()
    const { limits } = specOf(ref)
    let provider = await harness.reopen()
    await ask(await provider.create(specOf(ref)), customer(ref), 'create table t as select 7 as n')
    expect(await crash('resize', ref, step)).toBe('SIGKILL')
    provider = await harness.reopen()
    expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
    const larger = { maxConnections: limits.maxConnections + 20 }
    const resized = await provider.resize?.(ref, larger)
    if (!resized) throw new Error('This provider changes no sizes')
    expect(await ask(resized.address, customer(ref), 'show max_connections')).toBe(
      String(serverConnections(larger.maxConnections).all),
    )
    expect(await ask(resized.address, customer(ref), 'select n from t')).toBe(7)
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
)
