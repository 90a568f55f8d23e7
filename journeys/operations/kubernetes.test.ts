import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { preparePostgres } from '#kit/postgres/runtime'
import { newTablesGranted } from '#kit/testing/new-tables'
import { startCluster } from '../../compute/testing/kubernetes/cluster.ts'
import { keySecret } from '../../compute/testing/kubernetes/harness.ts'
import { startS3Store } from '../../data-plane/testing/storage/s3-store.ts'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person, Project } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newHome } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
let ada: Person
let project: Project

beforeAll(async () => {
  const home = await newHome()
  atEnd(() => rm(home, { recursive: true, force: true }))
  cluster = await startCluster(home, await preparePostgres(home))
  atEnd(() => cluster.close())
  const s3 = await startS3Store()
  atEnd(() => s3.close())
  const { bucket, endpoint, credentials } = s3.options
  cluster.api.store.create(keySecret(credentials))
  const kubeconfig = join(home, 'kubeconfig')
  await writeFile(kubeconfig, JSON.stringify(kubeconfigFor(cluster.api)))
  const platform = await ownPlatform({
    environment: {
      PLINTH_COMPUTE: 'kubernetes',
      PLINTH_KUBECONFIG: kubeconfig,
      PLINTH_KUBERNETES_BACKUP_BUCKET: bucket,
      PLINTH_KUBERNETES_BACKUP_ENDPOINT: endpoint,
      PLINTH_KUBERNETES_BACKUP_CREDENTIALS: 'backup-key',
      PLINTH_KUBERNETES_BACKUP_NETWORKS: '127.0.0.1/32',
    },
  })
  ada = await signUp(platform.url, 'ada@example.com')
  project = await createProject(ada, await createOrganization(ada, 'Acme'), 'Shop')
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
})

/** As an operator writes it; every YAML parser reads it. */
const kubeconfigFor = ({ url, token }: { url: string; token: string }) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'platform', user: { token } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'platform' } }],
  'current-context': 'test',
})
const shop = () =>
  createClient(project.endpoint, project.serviceKey, {
    auth: { persistSession: false },
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
  })
const names = async () => {
  const { data, error } = await shop().from('orders').select('name').order('id')
  return error?.message ?? data
}
const does = async (what: string, status: string) => {
  const answer = await ada.call('POST', `/platform/projects/${project.ref}/${what}`)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  await reaches(ada, project.ref, [status])
}

test('a project in a cluster serves apps, keeps everything over a pause and a restart, and leaves nothing', async () => {
  await runSql(ada, project.ref, newTablesGranted)
  await runSql(
    ada,
    project.ref,
    `create table orders (id int generated always as identity primary key, name text);
     insert into storage.buckets (id, name, public) values ('files', 'files', true)`,
  )
  expect(await runSql(ada, project.ref, 'select current_user::text as is')).toMatchObject([
    { is: 'plinth_customer' },
  ])
  // What people connect with is told as it is there.
  const { body: told } = await ada.call('GET', `/platform/projects/${project.ref}`)
  expect(told).toMatchObject({ db_user: 'plinth_customer', db_name: 'plinth' })
  await expect
    .poll(async () => (await shop().from('orders').insert({ name: 'tea' })).error)
    .toBeNull()
  const user = { email: 'buyer@example.com', password: 'a long one 42!', email_confirm: true }
  expect((await shop().auth.admin.createUser(user)).error).toBeNull()
  expect((await shop().storage.from('files').upload('a.txt', 'hello')).error).toBeNull()

  await does('pause', 'INACTIVE')
  expect(await cluster.instanceOf(project.ref)?.running()).toBeUndefined()
  await does('restore', 'ACTIVE_HEALTHY')
  await expect.poll(names).toEqual([{ name: 'tea' }])
  const { email, password } = user
  expect((await shop().auth.signInWithPassword({ email, password })).error).toBeNull()
  const file = await shop().storage.from('files').download('a.txt')
  expect(await file.data?.text()).toBe('hello')

  await does('restart', 'ACTIVE_HEALTHY')
  await expect.poll(names).toEqual([{ name: 'tea' }])

  // What its server writes is in its Postgres log, and what it takes of the disk is counted.
  const failing = await ada.call('POST', `/v1/projects/${project.ref}/database/query`, {
    query: 'select * from nowhere',
  })
  expect(failing.status).toBe(400)
  const sql = `select count(*) as found from postgres_logs where event_message like '%"nowhere"%'`
  const logged = async () => {
    const logs = `/platform/projects/${project.ref}/analytics/endpoints/logs.all`
    return (await ada.call('POST', logs, { sql })).body
  }
  await expect.poll(logged, { timeout: 60_000 }).toMatchObject({ result: [{ found: 1 }] })
  const disk = await ada.call('GET', `/platform/projects/${project.ref}/disk/usage`)
  expect(disk.body).toMatchObject({ database_bytes: expect.any(Number) as number, state: 'ok' })

  const path = `/platform/database/${project.ref}/backups`
  const made = await ada.call('POST', path)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id } = made.body
  const backup = async () => {
    const { body } = await ada.call('GET', path)
    expect(body['downloads']).toBe(false)
    return (body['backups'] as Record<string, unknown>[]).find((one) => one['id'] === id)
  }
  await expect
    .poll(backup, { timeout: 180_000 })
    .toMatchObject({ status: 'COMPLETED', tables: expect.any(Number) })
  const download = await ada.call('POST', `${path}/download`, { id })
  expect(download).toMatchObject({ status: 403, body: { code: 'platform_only' } })
  await shop().from('orders').insert({ name: 'coffee' })
  await ada.call('POST', `${path}/restore`, { id })
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  // Another server has taken over, and apps are led to it.
  await expect.poll(names, { timeout: 60_000 }).toEqual([{ name: 'tea' }])

  await ada.call('DELETE', `/platform/projects/${project.ref}`)
  await expect.poll(() => cluster.api.store.everythingIn(`plinth-${project.ref}`)).toEqual([])
  expect(cluster.operator.errors).toEqual([])
})
