import { afterAll, beforeAll, expect, test } from 'vitest'
import { places } from '#kit/testing/rounds'
import type { Provider, ReadReplicas } from '../../provider.ts'
import { admin, ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { crashBench, type CrashBench } from '../../testing/crash.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'

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

const id = 'abcde'
const within = { timeout: 60_000, interval: 50 }
async function opened(): Promise<{ provider: Provider; replicas: ReadReplicas }> {
  const provider = await harness.reopen()
  if (!provider.replicas) throw new Error('This provider has no read replicas')
  return { provider, replicas: provider.replicas }
}
const of = (ref: string) => async () =>
  (await harness.tracesOf(ref)).filter((name) => name.includes(id))

const making = ['claimed', 'opened', 'copied', 'flushed', 'ready'] as const
test.each(places(making, ['opened', 'flushed']).map((step) => `compute.replica.${step}`))(
  'making one killed at %s: making it again gives a whole one, and nothing is left of it once dropped',
  async (step) => {
    const ref = testRef()
    const { provider } = await opened()
    const at = await provider.create(specOf(ref))
    await ask(at, customer(ref), 'create table t as select 7 as n')
    expect(await bench.crash('make replica', ref, step)).toBe('SIGKILL')
    const { provider: next, replicas } = await opened()
    const password = admin(ref).password
    const replica = await replicas.make({ ref, id }, password)
    expect(await ask(replica, customer(ref), 'select n from t')).toBe(7)
    await expect
      .poll(async () => (await replicas.list(ref, password)).map(({ state }) => state), within)
      .toEqual(['streaming'])
    await replicas.drop({ ref, id }, password)
    expect(await of(ref)()).toEqual([])
    const slots = 'select count(*)::int from pg_replication_slots'
    expect(await ask(at, customer(ref), slots)).toBe(0)
    await next.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
)

const unready = ['claimed', 'opened', 'copied', 'flushed'] as const
test.each(places(unready, ['copied']).map((step) => `compute.replica.${step}`))(
  'making one killed at %s: a project that is removed then leaves nothing',
  async (step) => {
    const ref = testRef()
    await (await opened()).provider.create(specOf(ref))
    expect(await bench.crash('make replica', ref, step)).toBe('SIGKILL')
    await (await opened()).provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
)

test.each(
  places(['unready', 'stopped', 'slotless'], ['stopped']).map((step) => `compute.replica.${step}`),
)(
  'dropping one killed at %s: nothing starts it again, and dropping it again leaves nothing',
  async (step) => {
    const ref = testRef()
    const password = admin(ref).password
    const first = await opened()
    const at = await first.provider.create(specOf(ref))
    await first.replicas.make({ ref, id }, password)
    expect(await bench.crash('drop replica', ref, step)).toBe('SIGKILL')
    const { provider, replicas } = await opened()
    expect(await replicas.list(ref, password)).toMatchObject([{ id, state: 'broken' }])
    await replicas.drop({ ref, id }, password)
    expect(await replicas.list(ref, password)).toEqual([])
    expect(await of(ref)()).toEqual([])
    const slots = 'select count(*)::int from pg_replication_slots'
    expect(await ask(at, customer(ref), slots)).toBe(0)
    await provider.destroy(ref)
  },
)
