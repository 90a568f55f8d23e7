import { expect, onTestFinished, test } from 'vitest'
import { accessRules } from '#compute/kubernetes/access'
import { startApiServer } from '../../compute/testing/kubernetes/api-server.ts'
import { keySecret } from '../../compute/testing/kubernetes/harness.ts'
import { startS3Store } from '../../data-plane/testing/storage/s3-store.ts'
import { newFolder, saidOf } from '../testing/doctor/doctor.ts'

const token = 'of-the-platform'
const looksAtClasses = {
  apiGroups: ['storage.k8s.io', 'snapshot.storage.k8s.io'],
  resources: ['storageclasses', 'volumesnapshotclasses'],
  verbs: ['list'],
}

/** A cluster with an operator and one storage class, as whoever runs it sees it. */
async function openCluster(options: Partial<Parameters<typeof startApiServer>[0]> = {}) {
  const api = await startApiServer({ rules: [...accessRules, looksAtClasses], token, ...options })
  onTestFinished(() => api.close())
  for (const name of ['default', 'plinth', 'cnpg-system'])
    api.store.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  api.store.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default' },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
  })
  return { api, settings: { PLINTH_COMPUTE: 'kubernetes', PLINTH_KUBECONFIG: fileFor(api.url) } }
}
const fileFor = (server: string) =>
  newFolder().write(
    'kubeconfig',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'platform', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'platform' } }],
      'current-context': 'test',
    }),
  )
const storageClass = (name: string, isUsual = false) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name,
    annotations: { 'storageclass.kubernetes.io/is-default-class': String(isUsual) },
  },
})

test('a cluster that has everything is fit, and is asked, not changed', async () => {
  const { api, settings } = await openCluster()
  api.store.create(storageClass('fast', true))
  api.store.create({
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'copies' },
  })
  const before = api.store.version()
  const rights = accessRules.flatMap(({ verbs, resources }) => resources.flatMap(() => verbs))
  expect(await saidOf('cluster', settings)).toEqual([
    `ok the account has the ${rights.length} rights that Plinth needs`,
    'ok its API server: 10.96.0.1 port 443',
    'ok there is a namespace plinth',
    'ok there is a namespace cnpg-system',
  ])
  expect(await saidOf('operator', settings)).toEqual(['ok the cluster knows postgresql.cnpg.io/v1'])
  expect(await saidOf('backups', settings)).toEqual([
    'warn no bucket is set, so projects in the cluster have no backups -> set PLINTH_KUBERNETES_BACKUP_BUCKET',
  ])
  expect(await saidOf('volumes', settings)).toEqual([
    'ok the usual storage class is fast',
    'ok snapshot classes, which Plinth does not use yet: copies',
  ])
  const changes = api.asked.filter(
    ({ verb, kind }) => verb !== 'get' && verb !== 'list' && kind !== 'SelfSubjectAccessReview',
  )
  expect(changes).toEqual([])
  expect(api.store.version()).toBe(before)
})

test('each right that is missing is a line', async () => {
  const { settings } = await openCluster({
    rules: accessRules.filter(({ resources }) => !resources.includes('networkpolicies')),
  })
  const said = await saidOf('cluster', settings)
  const todo = 'give it the rules of docs/kubernetes.md'
  expect(said.slice(0, 3)).toEqual(
    ['get', 'create', 'patch'].map(
      (verb) => `fail the account may not ${verb} networkpolicies.networking.k8s.io -> ${todo}`,
    ),
  )
  // Who may not look does not know.
  expect((await saidOf('volumes', settings))[0]).toMatch(/^warn the account may not list storage/)
})

test('a cluster without the operator, or without a place for volumes, is not fit', async () => {
  const { api, settings } = await openCluster({ without: ['postgresql.cnpg.io/v1'] })
  expect(await saidOf('operator', settings)).toEqual([
    'fail the cluster does not know postgresql.cnpg.io/v1 -> install CloudNativePG 1.30 or a newer 1.x',
  ])
  api.store.create(storageClass('slow'))
  expect((await saidOf('volumes', settings))[0]).toBe(
    'fail there is no usual storage class -> set PLINTH_KUBERNETES_STORAGE_CLASS to one of: slow',
  )
  const wanting = (name: string) =>
    saidOf('volumes', { ...settings, PLINTH_KUBERNETES_STORAGE_CLASS: name })
  expect((await wanting('fast'))[0]).toMatch(/^fail there is no storage class fast -> /)
  expect((await wanting('slow'))[0]).toBe('ok there is a storage class slow')
  const elsewhere = await saidOf('cluster', { ...settings, PLINTH_KUBERNETES_NAMESPACE: 'other' })
  expect(elsewhere).toContain('fail there is no namespace other -> kubectl create namespace other')
})

test('backups want the plugin, the Secret, and a bucket that the key opens', async () => {
  const { api, settings } = await openCluster()
  const s3 = await startS3Store()
  onTestFinished(() => s3.close())
  const { bucket, endpoint, prefix, credentials } = s3.options
  const wanted = {
    ...settings,
    PLINTH_KUBERNETES_BACKUP_BUCKET: bucket,
    PLINTH_KUBERNETES_BACKUP_ENDPOINT: endpoint,
    PLINTH_KUBERNETES_BACKUP_PREFIX: prefix,
    PLINTH_KUBERNETES_BACKUP_CREDENTIALS: 'backup-key',
    PLINTH_KUBERNETES_BACKUP_NETWORKS: '127.0.0.1/32',
  }
  const knows = 'ok the cluster knows barmancloud.cnpg.io/v1'
  expect(await saidOf('backups', wanted)).toEqual([
    knows,
    'fail The Secret backup-key of the namespace plinth lacks access-key-id or secret-access-key -> make the Secret backup-key in the namespace plinth',
  ])
  api.store.create(keySecret(credentials))
  expect((await saidOf('backups', wanted)).slice(0, 2)).toEqual([
    knows,
    'ok plinth: objects are written, read, copied, listed and removed',
  ])
  const elsewhere = { ...wanted, PLINTH_KUBERNETES_BACKUP_BUCKET: 'nobodys' }
  expect((await saidOf('backups', elsewhere))[1]).toMatch(/^fail nobodys cannot be written to/)
  const { settings: bare } = await openCluster({ without: ['barmancloud.cnpg.io/v1'] })
  expect((await saidOf('backups', { ...wanted, ...bare }))[0]).toBe(
    'fail the cluster does not know barmancloud.cnpg.io/v1 -> install the Barman Cloud plugin beside CloudNativePG',
  )
})

test('a cluster that cannot be reached, or takes nobody, is one line', async () => {
  const nowhere = { PLINTH_COMPUTE: 'kubernetes', PLINTH_KUBECONFIG: fileFor('http://127.0.0.1:1') }
  expect(await saidOf('cluster', nowhere)).toEqual([
    expect.stringMatching(/^fail The cluster did not .*ECONNREFUSED/),
  ])
  const { settings } = await openCluster({ token: 'of somebody else' })
  expect(await saidOf('cluster', settings)).toEqual([
    expect.stringMatching(/^fail The cluster did not .*\(401\): Unauthorized/),
  ])
  const missing = { ...settings, PLINTH_KUBECONFIG: '/nowhere/kubeconfig' }
  expect(await saidOf('cluster', missing)).toEqual([
    expect.stringMatching(/^fail its address cannot be read: .* -> set PLINTH_KUBECONFIG$/),
  ])
})
