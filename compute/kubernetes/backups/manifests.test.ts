import { expect, test } from 'vitest'
import { validate } from '../../testing/kubernetes/schemas.ts'
import { cluster } from '../manifests.ts'
import { backup, credentials, objectStore, recoveryFrom, type Source } from './manifests.ts'
import { serverOf } from './objects.ts'
import { networkOf } from './place.ts'

const [ref, other] = ['aaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbb']
const place = { bucket: 'backups', region: 'eu-central-1', prefix: 'a/b' }
const spec = { ref, limits: { maxConnections: 60 } }
const source: Source = { ref, server: `${ref}-0a1b2c3d`, backupId: '20261129T0120-1', until: 'end' }
const made = (from: Source, name = `${ref}-abc`) =>
  cluster(spec, { storage: '10Gi' }, { name, server: 'new', from: recoveryFrom(ref, from) })
const check = (object: { kind: string }) => validate(object.kind, { ...object })

test('every object is one of the published schemas, and carries no secret but its Secret', () => {
  const key = { accessKeyId: 'the id', secretAccessKey: 'the secret' }
  const store = objectStore({ ref, of: ref }, { ...place, endpoint: 'https://s3.example.com' })
  const all = [credentials(ref, key, place), store, backup(ref, ref, '7'), made(source)]
  for (const object of all) check(object)
  for (const object of all.slice(1)) expect(JSON.stringify(object)).not.toContain('the secret')
  expect(store.spec.configuration.destinationPath).toBe(`s3://backups/a/b/${ref}`)
  // Who else sets when backups go would remove some that the platform still shows.
  expect(Object.keys(store.spec)).toEqual(['configuration', 'instanceSidecarConfiguration'])
})

test('a backup of another project is read where that archives to, and written to nowhere', () => {
  const store = objectStore({ ref, of: other }, place)
  expect(store.metadata.name).toBe('source')
  expect(store.spec.configuration.destinationPath).toBe(`s3://backups/a/b/${other}`)
  const { plugins, externalClusters } = made({ ...source, ref: other }).spec
  expect(plugins?.[0]?.parameters).toEqual({ barmanObjectName: 'backups', serverName: 'new' })
  expect(externalClusters?.[0]?.plugin).toMatchObject({
    isWALArchiver: false,
    parameters: { barmanObjectName: 'source', serverName: source.server },
  })
})

test.each<[Source['until'], object]>([
  ['consistent', { targetImmediate: true }],
  ['end', {}],
  [new Date('2026-11-29T01:20:05.123Z'), { targetTime: '2026-11-29 01:20:05.123+00' }],
])('it is replayed until %s', (until, target) => {
  const { bootstrap } = made({ ...source, until }).spec
  const recoveryTarget = { backupID: source.backupId, ...target }
  expect(bootstrap).toEqual({ recovery: { source: 'origin', recoveryTarget } })
})

test('the schemas are strict: misspelt, mixed and incomplete objects are refused', () => {
  const store = objectStore({ ref, of: ref }, place)
  const { configuration } = store.spec
  const spoilt: [object, string][] = [
    [{ ...store, spec: { ...store.spec, retentionPolicy: '7 days' } }, 'retentionPolicy'],
    [{ ...store, spec: { configuration: { ...configuration, endpoint: 'x' } } }, 'unknown field'],
    [{ ...store, spec: { configuration: { ...configuration, serverName: ref } } }, 'unknown field'],
    [{ ...store, spec: {} }, 'spec.configuration: Required value'],
    [
      { ...backup(ref, ref, '7'), spec: { cluster: { name: ref }, method: 'plugin' } },
      'cannot be empty',
    ],
    [{ ...backup(ref, ref, '7'), spec: { method: 'plugin' } }, 'spec.cluster: Required value'],
  ]
  for (const [object, words] of spoilt) expect(() => check(object as never), words).toThrow(words)
  const one = made(source)
  const recovery = (recoveryTarget: object) => ({
    ...one,
    spec: { ...one.spec, bootstrap: { recovery: { source: 'origin', recoveryTarget } } },
  })
  const both = { backupID: 'x', targetImmediate: true, targetTime: '2026-11-29 01:20:05+00' }
  expect(() => check(recovery(both))).toThrow('mutually exclusive')
  expect(() => check(recovery({ targetImmediate: true }))).toThrow('BackupID is missing')
  // A moment without its zone is another one on another machine.
  expect(() => check(recovery({ targetTime: '2026-11-29 01:20:05' }))).toThrow('targetTime')
  expect(() => check({ ...one, spec: { ...one.spec, externalClusters: [] } } as never)).toThrow(
    'no external cluster "origin"',
  )
  const ordered = backup(ref, ref, '7')
  const changed = { ...ordered, spec: { ...ordered.spec, cluster: { name: other } } }
  expect(() => validate('Backup', { ...changed }, { ...ordered })).toThrow('immutable')
})

test('a project of a name that was there before never archives to where that one did', () => {
  const key = { ref, name: ref }
  const [one, two] = [
    '0a1b2c3d-0000-4000-8000-000000000000',
    '1a1b2c3d-0000-4000-8000-000000000000',
  ]
  expect(serverOf(key, one)).toBe(`${ref}-0a1b2c3d`)
  expect(serverOf(key, two)).not.toBe(serverOf(key, one))
})

test.each<[string | undefined, number, string | undefined]>([
  [undefined, 443, 'kube-system'],
  ['https://s3.example.com', 443, 'kube-system'],
  ['http://s3.example.com', 80, 'kube-system'],
  ['http://192.0.2.7:9000', 9000, undefined],
  ['https://[2001:db8::7]', 443, undefined],
])('for %s the port %s is opened, and names where there is one', (endpoint, port, dnsNamespace) => {
  const settings = {
    ...place,
    secret: 's',
    networks: ['192.0.2.0/24'],
    dnsNamespace: 'kube-system',
  }
  expect(networkOf({ ...settings, endpoint })).toEqual({
    networks: ['192.0.2.0/24'],
    port,
    dnsNamespace,
  })
})
