import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseAddress, Provider } from '../../provider.ts'
import { ask, loginsOf, specOf, testRef } from '../../testing/conformance-project.ts'
import type { Question } from '../../testing/kubernetes/api-server.ts'
import { kubernetesHarness, type KubernetesHarness } from '../../testing/kubernetes/harness.ts'
import { accessRules } from '../access.ts'
import { createKubernetesProvider } from '../kubernetes.ts'
import { clusterAnnotation, customerRole, namespaceOf, superuser } from '../objects.ts'

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
let harness: KubernetesHarness
let ref: string
const key = () => ({ ref, id: '1' })
const backupsOf = (provider: Provider) => {
  if (!provider.backups) throw new Error('This provider keeps no backups')
  return provider.backups
}
const password = () => specOf(ref).passwords.admin
const count = (at: DatabaseAddress) => ask(at, customer(ref), 'select count(*)::int from notes')
const home = () => harness.api.store.get('Namespace', undefined, namespaceOf(ref))
const clusters = () =>
  harness.api.store.list('Cluster', namespaceOf(ref)).map(({ metadata }) => metadata.name)

beforeAll(async () => {
  harness = await kubernetesHarness({ withBackups: true })
  ref = testRef()
  // Made before there was a bucket.
  const { backups: _, ...without } = harness.options
  const older = createKubernetesProvider(without)
  expect(older.backups).toBeUndefined()
  const at = await older.create(specOf(ref))
  await ask(at, customer(ref), 'create table notes as select generate_series(1, 5) as id')
  await older.close()
})
afterAll(() => harness.close())

test('a project that is older than the bucket is backed up, once its pods reach that', async () => {
  const elsewhere = createKubernetesProvider({
    ...harness.options,
    backups: { ...Object(harness.options.backups), networks: ['192.0.2.0/24'] },
  })
  await expect(backupsOf(elsewhere).make(key(), password())).rejects.toThrow(
    /made no backup \(failed\): Could not connect to the endpoint/,
  )
  await elsewhere.close()
  const { bytes } = await backupsOf(harness.provider).make(key(), password())
  expect(bytes).toBeGreaterThan(100_000)
  expect(harness.api.store.list('Backup')).toEqual([])
  expect(await count(await harness.provider.start(ref))).toBe(5)
  // What it could not send until then.
  harness.operator.errors.length = 0
})

test('what is not allowed is told, without what was to be written', async () => {
  harness.api.allow(accessRules.filter(({ resources }) => !resources.includes('backups')))
  try {
    await expect(harness.provider.prepare()).rejects.toThrow('create backups.postgresql.cnpg.io')
    const refused = backupsOf(harness.provider).make({ ref, id: '2' }, password())
    const message = await refused.then(String, String)
    expect(message).toContain('(403)')
    expect(message).not.toContain('S3RVER')
  } finally {
    harness.api.allow(accessRules)
  }
})

test('versions that are too old, watches that break and a busy server hold no backup up', async () => {
  harness.api.trap('watch', 'backups', () => ({ status: 410 }), 2)
  harness.api.trap('watch', 'backups', () => 'drop', 2)
  harness.api.trap('create', 'backups', () => ({ status: 429, headers: { 'retry-after': '1' } }))
  harness.api.trap('get', 'backups', () => 'drop')
  await backupsOf(harness.provider).make({ ref, id: '3' }, password())
  expect(await backupsOf(harness.provider).list(ref)).toEqual(['1', '3'])
})

test('an order that a process left behind is waited for, and its files are removed', async () => {
  harness.api.trap('delete', 'backups', () => {
    harness.api.allow([])
    return { status: 403 }
  })
  const lost = { ref, id: '4' }
  await expect(backupsOf(harness.provider).make(lost, password())).rejects.toThrow('403')
  harness.api.allow(accessRules)
  // As if what is known of it had never been written down.
  await harness.bucket?.remove([`${ref}/plinth-4.json`])
  await backupsOf(harness.provider).remove(lost)
  expect(harness.api.store.list('Backup')).toEqual([])
  const bases = (await harness.tracesOf(ref)).filter((one) => one.endsWith('data.tar.gz'))
  expect(bases).toHaveLength(2)
})

test('who else writes onto the namespace when a restore repoints is not overwritten', async () => {
  harness.api.trap('patch', 'namespaces', () => {
    const there = home()
    const annotations = { ...there.metadata.annotations, 'somebody/else': 'yes' }
    harness.api.store.replace({ ...there, metadata: { ...there.metadata, annotations } }, 'object')
    return undefined
  })
  const at = await backupsOf(harness.provider).restore(specOf(ref), key(), 'order 1')
  expect(await count(at)).toBe(5)
  expect(home().metadata.annotations).toMatchObject({
    'somebody/else': 'yes',
    [clusterAnnotation]: clusters()[0],
  })
})

/** The writes of a restore in their order: each time nobody lets it go on from there, as after a kill. */
const steps: [string, Question['verb'], string, number][] = [
  ['the new cluster is made', 'create', 'clusters', 1],
  ['it is called a project', 'patch', 'clusters', 1],
  ['the old one is stopped', 'patch', 'clusters', 2],
  ['the project is repointed', 'patch', 'namespaces', 2],
  ['the old one is removed', 'delete', 'clusters', 1],
]
test.each(steps)(
  'killed before %s, the same order finishes it, once',
  async (what, verb, resource, nth) => {
    const before = await harness.provider.start(ref)
    await ask(before, customer(ref), 'insert into notes values (6)')
    let left = nth
    harness.api.trap(
      verb,
      resource,
      () => {
        if (--left > 0) return undefined
        harness.api.allow([])
        return { status: 403 }
      },
      nth,
    )
    const killed = createKubernetesProvider(harness.options)
    await expect(backupsOf(killed).restore(specOf(ref), key(), what)).rejects.toThrow('403')
    await killed.close()
    harness.api.allow(accessRules)
    const next = createKubernetesProvider(harness.options)
    const at = await backupsOf(next).restore(specOf(ref), key(), what)
    expect(await count(at)).toBe(5)
    expect(clusters()).toHaveLength(1)
    await ask(at, customer(ref), 'insert into notes values (7)')
    expect(await count(await backupsOf(next).restore(specOf(ref), key(), what))).toBe(6)
    await next.close()
  },
)

test('a project whose server does not come up any more is brought back', async () => {
  await harness.provider.start(ref)
  const [name = ''] = clusters()
  const broken = harness.operator.instanceOf({ name, namespace: namespaceOf(ref) })
  await rm(join(broken?.dataDir ?? '', 'global', 'pg_control'))
  await harness.killServer(ref)
  await expect.poll(() => harness.operator.errors.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const at = await backupsOf(harness.provider).restore(specOf(ref), key(), 'after a loss')
  expect(await count(at)).toBe(5)
  expect(clusters()).toHaveLength(1)
  harness.operator.errors.length = 0
})

test('an archive that takes nothing ends a backup, and not in waiting', async () => {
  const impatient = createKubernetesProvider({ ...harness.options, deadlineMs: 3000 })
  const stuck = () => {
    for (const one of harness.api.store.list('Backup')) {
      const status = {
        ...one.status,
        phase: 'walArchivingFailing',
        error: 'nothing is taken',
      }
      const metadata = { ...one.metadata, resourceVersion: '' }
      harness.api.store.replace({ ...one, metadata, status }, 'status')
    }
    return undefined
  }
  harness.api.trap('get', 'backups', stuck, 1000)
  const stays = backupsOf(impatient).make({ ref, id: '9' }, password())
  await expect(stays).rejects.toThrow('made no backup (walArchivingFailing): nothing is taken')
  // The order stays until whoever gave it has it removed, with all that was copied.
  expect(harness.api.store.list('Backup')).toHaveLength(1)
  await backupsOf(impatient).remove({ ref, id: '9' })
  expect(harness.api.store.list('Backup')).toEqual([])
  await impatient.close()
})

test('a deletion that was broken off before the bucket was emptied empties it when it is repeated', async () => {
  harness.api.trap('get', 'secrets', () => {
    harness.api.allow([])
    return { status: 403 }
  })
  await expect(harness.provider.destroy(ref)).rejects.toThrow('403')
  harness.api.allow(accessRules)
  expect(await backupsOf(harness.provider).refs()).toEqual([ref])
  await harness.provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
  expect(harness.operator.errors).toEqual([])
})
