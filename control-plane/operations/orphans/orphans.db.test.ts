import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { createSecrets } from '#kit/secrets'
import { secretsOf } from '../../projects/projects/spec.ts'
import { startBackupWorld, type BackupWorld } from '../../testing/backups.ts'
import { internalToken } from '../../testing/control-plane.ts'
import { organizationOf } from '../../testing/people.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }
const secrets = createSecrets(randomBytes(32))

let world: BackupWorld
/** A project that an older platform database does not know, and one that it does. */
let today: string
let kept: number
beforeAll(async () => {
  world = await startBackupWorld({ secrets })
  today = await world.createProject('Films')
  kept = (await world.made(today)).id
  await asOwner(today, 'create table films as select 1 as id')
})
afterAll(() => world.end())

/** Runs SQL as the owner of a project's database, with the password that the platform has for it. */
async function asOwner(ref: string, sql: string): Promise<unknown[]> {
  const row = await world.plane.db
    .selectFrom('platform.projects')
    .select(['ref', 'sealed_secrets'])
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()
  const seen = await world.plane.compute.inspect(ref)
  if (seen.state !== 'running') throw new Error(`${ref} is ${seen.state}`)
  const at = {
    host: seen.address.socketDir,
    port: seen.address.port,
    user: 'postgres',
    password: secretsOf(secrets, row).dbPassword,
    database: 'postgres',
  }
  return withClient(at, async (client) => (await client.query<Record<string, unknown>>(sql)).rows)
}

async function operator(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const answer = await world.plane.app.inject({
    method,
    url: `/internal/orphans${path}`,
    headers: { authorization: `Bearer ${internalToken}` },
    ...(body ? { payload: body } : {}),
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}
const listed = async () =>
  (await operator('GET', '')).body['orphans'] as { kind: string; ref: string; name: string }[]
const mails = async () =>
  (
    await world.plane.db
      .selectFrom('platform.mails')
      .select(['subject', 'body_text'])
      .where('recipient', '=', 'support@example.com')
      .execute()
  ).filter(({ subject }) => subject.includes('does not know'))
const backups = () => world.plane.compute.backups?.list(today)

/** The platform database is as it was before a project was made: nothing of it is there. */
async function forget(ref: string) {
  await world.plane.db.deleteFrom('platform.projects').where('ref', '=', ref).execute()
}

test('refusals', async () => {
  const { ada } = world
  const adopt = `/projects/${today}/adopt`
  const input = { organization_slug: 'acme' }
  for (const path of [adopt, `/backups/${today}/1/adopt`])
    expect((await ada.call('POST', `/internal/orphans${path}`, input)).status).toBe(401)
  for (const path of [`/projects/${today}`, `/backups/${today}/1`])
    expect((await ada.call('DELETE', `/internal/orphans${path}`)).status).toBe(401)
  expect((await ada.call('GET', '/internal/orphans')).status).toBe(401)
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await ada.call(method, `/internal/orphans/objects/${today}`)).status).toBe(401)
    expect((await operator(method, '/objects/moon')).status).toBe(400)
    // There is no data plane here.
    expect((await operator(method, `/objects/${today}`)).status).toBe(503)
  }
  expect((await ada.call('GET', '/internal/rounds')).status).toBe(401)
  expect((await operator('POST', '/projects/moon/adopt', input)).status).toBe(400)
  expect((await operator('POST', adopt, {})).status).toBe(400)
  expect((await operator('POST', adopt, { ...input, name: '' })).status).toBe(400)
  expect((await operator('DELETE', '/backups/moon/1')).status).toBe(400)
  expect((await operator('DELETE', `/backups/${today}/x`)).status).toBe(400)
  // What has a row is nobody's to adopt or remove here.
  expect((await operator('POST', adopt, input)).status).toBe(404)
  expect((await operator('DELETE', `/projects/${today}`)).status).toBe(404)
  expect((await operator('POST', `/backups/${today}/${kept}/adopt`)).status).toBe(404)
  expect((await operator('DELETE', `/backups/${today}/${kept}`)).status).toBe(404)
  expect(await world.statusOf(today)).toBe('ACTIVE_HEALTHY')
})

test(
  'after an older platform database was restored, what is newer is stopped, kept and told of once',
  patience,
  async () => {
    const { plane } = world
    await forget(today)
    await plane.reconcile()
    expect(await plane.compute.inspect(today)).toEqual({ state: 'stopped' })
    expect(await listed()).toMatchObject([
      { kind: 'project', ref: today, name: '', state: 'stopped' },
    ])
    await plane.backupFilesRound()
    expect(await backups()).toEqual([String(kept)])
    await plane.reconcile()
    await plane.backupFilesRound()
    expect(await listed()).toMatchObject([
      { kind: 'project', ref: today },
      { kind: 'backup', ref: today, name: String(kept) },
    ])
    await vi.waitFor(async () => expect(await mails()).toHaveLength(2), { timeout: 60_000 })
    expect((await mails()).map(({ body_text }) => body_text).join()).toContain(`project ${today}`)
    // The project that the database knows goes on.
    expect(await plane.compute.inspect(world.ref)).toMatchObject({ state: 'running' })
  },
)

test('adopting names an organization, and a name that is free there', patience, async () => {
  const adopt = `/projects/${today}/adopt`
  const tried = async (input: object) => (await operator('POST', adopt, input)).status
  expect(await tried({ organization_slug: 'nowhere' })).toBe(404)
  expect(await tried({ organization_slug: 'acme', name: 'Books' })).toBe(409)
  await organizationOf(world.ada, 'Small')
  // Its plan has no compute of this size.
  await world.plane.db
    .updateTable('platform.organizations')
    .set({ tier: 'tier_free' })
    .where('slug', '=', 'small')
    .execute()
  expect(await tried({ organization_slug: 'small' })).toBe(403)
  expect(await listed()).toHaveLength(2)
})

test('an adopted project has its data, and new passwords and keys', patience, async () => {
  const { plane, ada } = world
  const adopted = await operator('POST', `/projects/${today}/adopt`, {
    organization_slug: 'acme',
    name: 'Films again',
  })
  expect(adopted).toMatchObject({ status: 200, body: { ref: today, status: 'RESTORING' } })
  await world.reaches(today, 'ACTIVE_HEALTHY')
  expect(await asOwner(today, 'select id from films')).toEqual([{ id: 1 }])
  await asOwner(today, 'insert into films values (2)')
  await plane.reconcile()
  expect(await listed()).toMatchObject([{ kind: 'backup' }])
  expect(await plane.compute.inspect(today)).toMatchObject({ state: 'running' })
  expect((await ada.call('GET', `/platform/projects/${today}`)).body).toMatchObject({
    name: 'Films again',
    organization_slug: 'acme',
    infra_compute_size: 'small',
  })
  const keys = await ada.call('GET', `/v1/projects/${today}/api-keys`)
  expect(keys.body).toHaveLength(4)
  expect((await operator('POST', `/projects/${today}/adopt`, { organization_slug: 'acme' })).status)
    // Said a second time it is nothing to adopt any more.
    .toBe(404)
  const entry = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'target'])
    .where('action', '=', 'orphans.adoptProject')
    .execute()
  expect(entry).toEqual([{ action: 'orphans.adoptProject', target: `project:${today}` }])
})

test('an adopted backup is read back, and restored from', patience, async () => {
  const at = `/backups/${today}/${kept}`
  expect(await operator('POST', `${at}/adopt`)).toMatchObject({ body: { status: 'PENDING' } })
  expect(await world.ended(kept, today)).toMatchObject({ status: 'COMPLETED', reason: 'manual' })
  expect(await listed()).toEqual([])
  expect((await operator('DELETE', at)).status).toBe(404)
  // The next one has a name of its own.
  expect((await world.made(today)).id).toBeGreaterThan(kept)
})

test('a backup that the operator does not want goes by their word', patience, async () => {
  const { plane } = world
  const other = await world.made(today)
  await plane.db.deleteFrom('platform.backups').where('id', '=', String(other.id)).execute()
  await plane.backupFilesRound()
  expect(await backups()).toContain(String(other.id))
  const at = `/backups/${today}/${other.id}`
  expect(await operator('DELETE', at)).toMatchObject({ status: 200, body: { removed: true } })
  expect(await backups()).not.toContain(String(other.id))
  expect((await operator('DELETE', at)).status).toBe(404)
})

test('what an unfinished creation left is removed by their word alone', patience, async () => {
  const { plane } = world
  const left = 'abandonedabandonedab'
  const { compute } = plane
  await compute.create({
    ref: left,
    passwords: { postgres: 'a', service: 'b', admin: 'c' },
    limits: { maxConnections: 20 },
  })
  await plane.reconcile()
  expect(await listed()).toMatchObject([{ ref: left, state: 'stopped' }])
  expect(await operator('DELETE', `/projects/${left}`)).toMatchObject({ status: 200 })
  expect(await compute.list()).not.toContain(left)
  expect(await listed()).toEqual([])
  await plane.reconcile()
  expect(await listed()).toEqual([])
})
