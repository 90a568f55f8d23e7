import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { ask, loginsOf, specOf, testRef } from '../testing/conformance-project.ts'
import {
  configOf,
  kubernetesHarness,
  type KubernetesHarness,
} from '../testing/kubernetes/harness.ts'
import { accessRules } from './access.ts'
import { openApi, type ClusterApi } from './api.ts'
import { ensure } from './ensure.ts'
import { createKubernetesProvider } from './kubernetes.ts'
import { cluster, namespace, sizedSpec } from './manifests.ts'
import { customerRole, namespaceOf, superuser, type Cluster, type Written } from './objects.ts'
import { clusterNamed } from './project.ts'

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
let harness: KubernetesHarness
/** The API as the provider asks it. */
let api: ClusterApi
/** One project that most tests look at, and none destroys. */
let ref: string
beforeAll(async () => {
  harness = await kubernetesHarness()
  api = await openApi({ config: configOf(harness.api.url, harness.api.token), patienceMs: 3000 })
  ref = testRef()
  await harness.provider.create(specOf(ref))
})
afterAll(async () => {
  api.close()
  await harness.close()
})

const stored = () => harness.api.store.get('Cluster', namespaceOf(ref), ref)
/** Somebody else changes the cluster of the project. */
function touch(name: string): void {
  const there = stored()
  const annotations = { ...there.metadata.annotations, [name]: String(Math.random()) }
  harness.api.store.replace({ ...there, metadata: { ...there.metadata, annotations } }, 'object')
}
/** Of the project, with one more label: something to ensure. */
const wanted = (label: string): Written => ({
  ...clusterNamed({ ref, name: ref }),
  metadata: { ...clusterNamed({ ref, name: ref }).metadata, labels: { [label]: 'yes' } },
})
const questions = (verb: string, resource: string) =>
  harness.api.asked.filter((one) => one.verb === verb && one.resource === resource).length

test('what is as it should be is not written again', async () => {
  await ensure(api, wanted('once'))
  const before = stored().metadata.resourceVersion
  const patches = questions('patch', 'clusters')
  await ensure(api, wanted('once'))
  expect(stored().metadata.resourceVersion).toBe(before)
  expect(questions('patch', 'clusters')).toBe(patches)
})

test('who else writes at the same time is not overwritten: it is read again', async () => {
  harness.api.trap('patch', 'clusters', () => touch('somebody/else') as undefined, 2)
  const patches = questions('patch', 'clusters')
  await ensure(api, wanted('conflict'))
  expect(questions('patch', 'clusters')).toBe(patches + 3)
  expect(stored().metadata.labels).toMatchObject({ conflict: 'yes' })
  expect(stored().metadata.annotations).toHaveProperty('somebody/else')
})

test('somebody who never stops writing ends it with the conflict, and not in a circle', async () => {
  harness.api.trap('patch', 'clusters', () => touch('somebody/else') as undefined, 10)
  await expect(ensure(api, wanted('never'))).rejects.toThrow('409')
})

test('one that was made meanwhile is changed and not made twice', async () => {
  const made = namespace(testRef())
  const { name } = made.metadata
  harness.api.trap('create', 'namespaces', () => {
    harness.api.store.create({ ...made, metadata: { name } })
    return undefined
  })
  await ensure(api, made)
  expect(harness.api.store.get('Namespace', undefined, name).metadata.labels).toMatchObject(
    made.metadata.labels ?? {},
  )
})

test('a server that is busy is asked again when it says so', async () => {
  harness.api.trap('get', 'clusters', () => ({ status: 429, headers: { 'retry-after': '1' } }))
  const began = performance.now()
  expect(await api.find(clusterNamed({ ref, name: ref }))).toBeDefined()
  expect(performance.now() - began).toBeGreaterThan(950)
})

test('a connection that breaks, and a server that is being started, are asked again', async () => {
  harness.api.trap('get', 'clusters', () => 'drop')
  harness.api.trap('get', 'clusters', () => ({ status: 503 }))
  expect(await api.find(clusterNamed({ ref, name: ref }))).toBeDefined()
})

test('a write whose answer was lost is not done twice', async () => {
  const made = namespace(testRef())
  harness.api.trap('create', 'namespaces', () => {
    harness.api.store.create({ ...made, metadata: { name: made.metadata.name } })
    return 'drop'
  })
  await ensure(api, made)
  const all = harness.api.store.list('Namespace')
  expect(all.filter(({ metadata }) => metadata.name === made.metadata.name)).toHaveLength(1)
})

test('patience has an end, and the error says what was asked', async () => {
  harness.api.trap('get', 'clusters', () => ({ status: 429, headers: { 'retry-after': '10' } }))
  await expect(api.find(clusterNamed({ ref, name: ref }))).rejects.toThrow(
    /read Cluster .* \(429\)/,
  )
})

test('a version that is too old and broken watches hold nobody up', async () => {
  const { provider } = harness
  const pause = provider.stop(ref)
  harness.api.store.compact()
  harness.api.dropWatches()
  await pause
  expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
  harness.api.trap('watch', 'clusters', () => ({ status: 410 }), 3)
  harness.api.trap('watch', 'clusters', () => 'drop', 3)
  const at = await provider.start(ref)
  expect(await ask(at, customer(ref), 'select 1')).toBe(1)
})

test('what is not allowed is told at the start, and by whoever needs it', async () => {
  const less = accessRules.filter(({ resources }) => !resources.includes('secrets'))
  harness.api.allow(less)
  try {
    await expect(harness.provider.prepare()).rejects.toThrow(
      'The cluster does not let the platform get secrets, create secrets, patch secrets',
    )
    const error = await harness.provider.create(specOf(testRef())).catch(String)
    expect(error).toContain('(403)')
    expect(error).not.toContain(specOf(ref).passwords.admin)
    harness.api.allow([])
    expect(await harness.provider.inspect(ref)).toMatchObject({ state: 'unknown' })
  } finally {
    harness.api.allow(accessRules)
  }
  await harness.provider.prepare()
})

test('a cluster that cannot be reached says nothing about the project', async () => {
  const nobody = createKubernetesProvider({
    ...harness.options,
    config: async () => configOf('http://127.0.0.1:9', 'x'),
    patienceMs: 100,
    log: silentLog,
  })
  const seen = await nobody.inspect(ref)
  expect(seen).toMatchObject({ state: 'unknown', reason: expect.stringContaining('did not') })
  await nobody.close()
})

const misspelt: [string, (one: Cluster) => object, string][] = [
  ['an unknown field', ({ spec }) => ({ ...spec, storge: {} }), 'unknown field "spec.storge"'],
  [
    'a missing one',
    ({ spec }) => ({ ...spec, storage: undefined }),
    'spec.storage: Required value',
  ],
  [
    'another word',
    ({ spec }) => ({ ...spec, seccompProfile: { type: 'None' } }),
    'Unsupported value',
  ],
  [
    'a setting of the operator',
    ({ spec }) => ({ ...spec, postgresql: { parameters: { listen_addresses: '*' } } }),
    "can't set fixed configuration parameter",
  ],
]
test.each(misspelt)('%s is refused', async (_, spoil, words) => {
  const one = cluster(specOf(testRef()), { storage: '10Gi' })
  const home = harness.api.store.create({
    ...namespace(one.metadata.name),
    metadata: { name: one.metadata.namespace ?? '' },
  })
  expect(home.kind).toBe('Namespace')
  await expect(api.create({ ...one, spec: spoil(one) })).rejects.toThrow(words)
})

test('a volume cannot shrink', async () => {
  const less = { ...clusterNamed({ ref, name: ref }), spec: { storage: { size: '1Gi' } } }
  await expect(api.merge(less)).rejects.toThrow("can't shrink existing storage")
})

test('a deletion waits for what holds the namespace, and a new project of the name for the deletion', async () => {
  const held = testRef()
  const { provider } = harness
  await provider.create(specOf(held))
  const { store } = harness.api
  const metadata = { name: 'held', namespace: namespaceOf(held), finalizers: ['somebody/else'] }
  const hold = store.create({ apiVersion: 'v1', kind: 'Secret', metadata })
  let gone = false
  const ending = provider.destroy(held).then(() => (gone = true))
  await expect
    .poll(() => store.find('Secret', hold.metadata.namespace, 'held')?.metadata.deletionTimestamp)
    .toBeDefined()
  // Somebody else, with another memory, is asked for the same project meanwhile.
  const second = createKubernetesProvider(harness.options)
  expect(await second.inspect(held)).toEqual({ state: 'absent' })
  const made = second.create(specOf(held))
  expect(gone).toBe(false)
  const left = store.get('Secret', hold.metadata.namespace, 'held')
  store.replace({ ...left, metadata: { ...left.metadata, finalizers: [] } }, 'object')
  await ending
  expect(await ask(await made, customer(held), 'select 1')).toBe(1)
  await second.destroy(held)
  await second.close()
  expect(await harness.tracesOf(held)).toEqual([])
})

test('a pod that is kept from the API server does not come up, and the error says how far it was', async () => {
  const alone = createKubernetesProvider({ ...harness.options, deadlineMs: 1500 })
  const { store } = harness.api
  const there = store.get('Service', 'default', 'kubernetes')
  const moved = { ...there, spec: { clusterIP: '10.96.0.77', ports: [{ port: 443 }] } }
  store.replace(moved, 'object')
  try {
    const lost = testRef()
    await expect(alone.create(specOf(lost))).rejects.toThrow('not running: Setting up primary')
    expect(await alone.inspect(lost)).toEqual({ state: 'absent' })
    await alone.destroy(lost)
    expect(await harness.tracesOf(lost)).toEqual([])
  } finally {
    store.replace({ ...there, metadata: { ...there.metadata, resourceVersion: '' } }, 'object')
    await alone.close()
  }
})

test('a server that is killed comes back by itself, with every row', async () => {
  const { provider } = harness
  const at = await provider.start(ref)
  await ask(at, customer(ref), 'create table kept as select generate_series(1, 1000) as n')
  await harness.killServer(ref)
  await expect.poll(() => provider.probe(ref)).toBe(true)
  const again = await provider.start(ref)
  expect(await ask(again, customer(ref), 'select count(*)::int from kept')).toBe(1000)
})

test('a size that does not come up is left stopped, and the former one brings it back', async () => {
  const { provider } = harness
  await provider.start(ref)
  // Nothing has room for it.
  harness.api.trap('patch', 'resourcequotas', () => ({ status: 200 }))
  const impatient = createKubernetesProvider({ ...harness.options, deadlineMs: 4000 })
  const { maxConnections } = specOf(ref).limits
  await expect(impatient.resize?.(ref, { maxConnections: 500 })).rejects.toThrow('exceeded quota')
  await expect.poll(() => provider.inspect(ref)).toEqual({ state: 'stopped' })
  const back = await provider.resize?.(ref, { maxConnections })
  expect(back?.downMs).toBeUndefined()
  expect(await ask(back?.address ?? never(), customer(ref), 'select 1')).toBe(1)
  await impatient.close()
  expect(sizedSpec(maxConnections).resources).toEqual(Object(stored().spec).resources)
})

test('read only that was ordered while it was paused holds when it is back', async () => {
  const { provider } = harness
  await provider.stop(ref)
  await provider.setReadOnly(ref, true)
  const at = await provider.start(ref)
  const shown = () => ask(at, customer(ref), 'show transaction_read_only')
  expect(await shown()).toBe('on')
  await provider.setReadOnly(ref, false)
  expect(await shown()).toBe('off')
})

test('where the operator works, no customer comes in', async () => {
  const at = await harness.provider.start(ref)
  await expect(ask({ ...at, name: 'postgres' }, customer(ref), 'select 1')).rejects.toThrow(
    'permission denied for database',
  )
})

function never(): never {
  throw new Error('There is an address')
}
