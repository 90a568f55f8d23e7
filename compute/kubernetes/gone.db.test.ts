import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, loginsOf, specOf, testRef } from '../testing/conformance-project.ts'
import { kubernetesHarness, type KubernetesHarness } from '../testing/kubernetes/harness.ts'
import { UnknownProjectError, type Backups } from '../provider.ts'
import { createKubernetesProvider } from './kubernetes.ts'
import { customerRole, namespaceOf, superuser } from './objects.ts'

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
let harness: KubernetesHarness
let backups: Backups
beforeAll(async () => {
  harness = await kubernetesHarness({ withBackups: true })
  if (!harness.provider.backups) throw new Error('This provider keeps no backups')
  backups = harness.provider.backups
})
afterAll(() => harness.close())

const left = (ref: string) =>
  harness.api.store.everythingIn(namespaceOf(ref)).map(({ kind }) => kind)
/** As `kubectl delete namespace` does it. */
const deleteNamespace = (ref: string) =>
  harness.api.store.remove('Namespace', undefined, namespaceOf(ref))
const isNothing = (ref: string) => expect.poll(() => left(ref)).toEqual([])

/** Whoever asks is told that there is no such project, and nothing is made. */
async function isAbsent(ref: string): Promise<void> {
  const { provider } = harness
  const before = new Set(left(ref))
  expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
  expect(await provider.probe(ref)).toBe(false)
  expect(await provider.limits?.(ref)).toBeUndefined()
  const refused = [
    provider.start(ref),
    provider.restart(ref),
    provider.resize?.(ref, { maxConnections: 60 }),
    backups.setArchive(ref, true),
  ]
  for (const one of refused) await expect(one).rejects.toThrow(UnknownProjectError)
  await provider.stop(ref)
  await provider.setReadOnly(ref, true)
  expect(left(ref).filter((kind) => !before.has(kind))).toEqual([])
}

test('a project whose namespace somebody has deleted is absent, and a backup brings it back', async () => {
  const { provider } = harness
  const ref = testRef()
  const spec = specOf(ref)
  const at = await provider.create(spec)
  await ask(at, customer(ref), 'create table t as select 7 as n')
  await backups.make({ ref, id: '1' }, spec.passwords.admin)
  deleteNamespace(ref)
  await isNothing(ref)
  await isAbsent(ref)
  expect(await provider.list()).not.toContain(ref)
  expect(await backups.list(ref)).toEqual(['1'])
  expect(await backups.windows(ref)).toEqual([])

  // A restore that fails takes nothing of what is left of it.
  const impatient = createKubernetesProvider({ ...harness.options, deadlineMs: 200 })
  harness.api.trap('create', 'clusters', () => ({ status: 422 }))
  await expect(impatient.backups?.restore(spec, { ref, id: '1' }, 'first')).rejects.toThrow()
  await impatient.close()
  await isNothing(ref)
  expect(await backups.list(ref)).toEqual(['1'])

  const again = await backups.restore(spec, { ref, id: '1' }, 'second')
  expect(await ask(again, customer(ref), 'select n from t')).toBe(7)
  expect(await provider.inspect(ref)).toEqual({ state: 'running', address: again })

  // The same where only the cluster object was deleted.
  const [cluster] = harness.api.store.list('Cluster', namespaceOf(ref))
  harness.api.store.remove('Cluster', namespaceOf(ref), cluster?.metadata.name ?? '')
  await isAbsent(ref)
  const third = await backups.restore(spec, { ref, id: '1' }, 'third')
  expect(await ask(third, customer(ref), 'select n from t')).toBe(7)
  await provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
})

test('a namespace that is on its way out is a project that is absent, however whole it looks', async () => {
  const { provider } = harness
  const ref = testRef()
  await provider.create(specOf(ref))
  const { store } = harness.api
  const cluster = store.get('Cluster', namespaceOf(ref), ref)
  const metadata = { ...cluster.metadata, finalizers: ['somebody/else'] }
  store.replace({ ...cluster, metadata }, 'object')
  deleteNamespace(ref)
  await isAbsent(ref)
  expect(await provider.list()).toContain(ref)
  const held = store.get('Cluster', namespaceOf(ref), ref)
  store.replace({ ...held, metadata: { ...held.metadata, finalizers: [] } }, 'object')
  await isNothing(ref)
})

test('what is under way when the namespace goes ends with that', async () => {
  // A server that archives would wait for its archive before it ends.
  const provider = createKubernetesProvider({ ...harness.options, backups: undefined })
  const [one, two] = [testRef(), testRef()]
  for (const ref of [one, two]) await provider.create(specOf(ref))
  harness.api.trap('patch', 'clusters', () => void deleteNamespace(one) as undefined)
  await expect(provider.restart(one)).rejects.toThrow(UnknownProjectError)
  harness.api.trap('patch', 'clusters', () => void deleteNamespace(two) as undefined)
  await provider.stop(two)
  await isNothing(one)
  await isNothing(two)
  await provider.close()
})

test('a namespace of the name that somebody has made holds no project', async () => {
  const ref = testRef()
  const metadata = { name: namespaceOf(ref) }
  harness.api.store.create({ apiVersion: 'v1', kind: 'Namespace', metadata })
  await isAbsent(ref)
  expect(left(ref)).toEqual(['Namespace'])
})

test('a cluster that does not know clusters any more says nothing about the project', async () => {
  const { provider } = harness
  const ref = testRef()
  await provider.create(specOf(ref))
  harness.api.trap('get', 'clusters', () => ({ status: 404 }))
  expect(await provider.inspect(ref)).toMatchObject({ state: 'unknown' })
  expect(await provider.inspect(ref)).toMatchObject({ state: 'running' })
  await provider.destroy(ref)
})
