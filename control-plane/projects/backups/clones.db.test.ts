import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '../../testing/control-plane.ts'
import { organizationOf } from '../../testing/people.ts'
import { startWorld, type World } from '../../testing/world.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

let world: World
let path: string
let backup: number

type Clone = { status: string; target_project: { ref: string; name: string } }
const password = 'Granite-7 under water'
const user = { email: 'reader@example.com', password: 'a reader of 20 books' }

beforeAll(async () => {
  world = await startWorld(
    `create table notes (id int primary key); insert into notes select generate_series(1, 200)`,
  )
  path = `/platform/database/${world.ref}/clone`
})
afterAll(() => world.end())

const origin = () => world.project.url.slice(0, -world.ref.length)
/** A call of a project's auth service. */
async function auth(project: string, key: string, at: string, body: object, token = key) {
  const response = await fetch(`${origin()}${project}/auth/v1/${at}`, {
    method: 'POST',
    headers: {
      apikey: key,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return answer
}
const order = (more: object, by = world.ada) =>
  by.call('POST', path, { newProjectName: 'Second books', newDbPass: password, ...more })
const statusOf = async (project: string) =>
  (await world.ada.call('GET', `/platform/projects/${project}/status`)).body['status']
const reaches = (project: string, requested: string) =>
  expect.poll(() => statusOf(project), { timeout: 120_000 }).toBe(requested)
const clones = async () => (await world.ada.call('GET', `${path}/status`)).body['clones'] as Clone[]
async function sqlIn(project: string, query: string): Promise<Record<string, unknown>[]> {
  const answer = await world.ada.call('POST', `/v1/projects/${project}/database/query`, { query })
  return Object.values(answer.body) as Record<string, unknown>[]
}

let factor: { id: string; secret: string }
let session: string
test('a user with a second factor is in the backup', patience, async () => {
  const { ref, ada } = world
  const { anonKey } = world.project
  const signedUp = await auth(ref, anonKey, 'signup', user)
  session = String(signedUp['access_token'])
  const made = await auth(ref, anonKey, 'factors', { factor_type: 'totp' }, session)
  factor = { id: String(made['id']), secret: (made['totp'] as { secret: string }).secret }
  const challenge = await auth(ref, anonKey, `factors/${factor.id}/challenge`, {}, session)
  await auth(
    ref,
    anonKey,
    `factors/${factor.id}/verify`,
    { challenge_id: challenge['id'], code: generateSync({ secret: factor.secret }) },
    session,
  )
  const backups = `/platform/database/${ref}/backups`
  backup = Number((await ada.call('POST', backups)).body['id'])
  await expect
    .poll(async () => (await ada.call('GET', backups)).body['backups'], { timeout: 120_000 })
    .toMatchObject([{ id: backup, status: 'COMPLETED' }])
})

test(
  'what says no backup or no moment, two of them, or no name, is refused',
  patience,
  async () => {
    for (const more of [
      {},
      { cloneBackupId: backup, recoveryTimeTarget: 1 },
      { cloneBackupId: 'one' },
      { cloneBackupId: backup, newProjectName: 'x' },
      { cloneBackupId: backup, newDbPass: '' },
    ])
      expect(await order(more)).toMatchObject({ status: 400 })
    expect(await order({ cloneBackupId: 4711 })).toMatchObject({ status: 404 })
    expect(await order({ cloneBackupId: backup }, world.stranger)).toMatchObject({ status: 404 })
    for (const role of ['Developer', 'Read-only'] as const)
      expect(await order({ cloneBackupId: backup }, world.as(role))).toMatchObject({ status: 403 })
    expect(await order({ cloneBackupId: backup, newProjectName: 'Books' })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    })
    expect(await order({ recoveryTimeTarget: 1_700_000_000 })).toMatchObject({
      status: 409,
      body: { code: 'recovery_off' },
    })
    expect(await clones()).toEqual([])
    expect(await world.stranger.call('GET', path)).toMatchObject({ status: 404 })
    expect(await world.stranger.call('GET', `${path}/status`)).toMatchObject({ status: 404 })
  },
)

let clone: string
test('a new project has the rows, and what was sealed in them opens there', patience, async () => {
  expect(await world.ada.call('GET', path)).toMatchObject({
    body: { target_compute_size: 'micro', target_volume_size_gb: 8, backups: [{ id: backup }] },
  })
  await world.sql('delete from notes')
  const made = await order({ cloneBackupId: backup }, world.as('Administrator'))
  expect(made).toMatchObject({ status: 201 })
  clone = String(made.body['ref'])
  expect(await clones()).toMatchObject([
    { status: 'IN_PROGRESS', target_project: { ref: clone, name: 'Second books' } },
  ])
  await reaches(clone, 'ACTIVE_HEALTHY')
  expect(await clones()).toMatchObject([{ status: 'COMPLETED' }])
  expect(await sqlIn(clone, 'select count(*)::int as count from notes')).toEqual([{ count: 200 }])
  expect(await world.sql('select count(*)::int as count from notes')).toEqual([{ count: 0 }])

  const settings = await world.ada.call('GET', `/platform/projects/${clone}/settings`)
  const keys = settings.body['service_api_keys'] as { api_key: string; tags: string }[]
  const key = String(keys.find(({ tags }) => tags === 'anon')?.api_key)
  const signedIn = await auth(clone, key, 'token?grant_type=password', user)
  const token = String(signedIn['access_token'])
  const challenge = await auth(clone, key, `factors/${factor.id}/challenge`, {}, token)
  // A code works once, in the copy of the database as well.
  const code = generateSync({ secret: factor.secret, epoch: Math.floor(Date.now() / 1000) + 30 })
  const verify = { challenge_id: challenge['id'], code }
  const shown = await auth(clone, key, `factors/${factor.id}/verify`, verify, token)
  const [, payload = ''] = String(shown['access_token']).split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aal: string }
  expect(claims.aal).toBe('aal2')
  // Keys and tokens of the one are none of the other.
  await expect(
    auth(clone, world.project.anonKey, 'token?grant_type=password', user),
  ).rejects.toThrow()
  await expect(auth(clone, key, 'factors', { factor_type: 'totp' }, session)).rejects.toThrow()
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select(['actor_email', 'target', 'change'])
    .where('action', '=', 'backups.clone')
    .execute()
  expect(entries).toMatchObject([
    {
      actor_email: 'administrator@example.com',
      target: `project:${clone}`,
      change: { after: { source: world.ref, name: 'Second books' } },
    },
  ])
})

test('what signs addresses of files is the project’s own', patience, async () => {
  const rows = await world.control.db
    .selectFrom('platform.projects')
    .select(['ref', 'sealing_ref'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { ref: world.ref, sealing_ref: null },
    { ref: clone, sealing_ref: world.ref },
  ])
  const told = async (project: string) => {
    const response = await fetch(`${world.controlUrl}/internal/projects/${project}`, {
      headers: { authorization: `Bearer ${internalToken}` },
    })
    return (await response.json()) as {
      sealingKey: string
      dataSealed?: { ref: string; sealingKey: string }
    }
  }
  const [own, other] = [await told(world.ref), await told(clone)]
  expect(own.dataSealed).toBeUndefined()
  expect(other.sealingKey).not.toBe(own.sealingKey)
  expect(other.dataSealed).toEqual({ ref: world.ref, sealingKey: own.sealingKey })
})

test('of one that belongs to another organization by now nothing is told', patience, async () => {
  const move = (organization_id: string) =>
    world.control.db
      .updateTable('platform.projects')
      .set({ organization_id })
      .where('ref', '=', clone)
      .execute()
  const { organization_id: own } = await world.control.db
    .selectFrom('platform.projects')
    .select('organization_id')
    .where('ref', '=', clone)
    .executeTakeFirstOrThrow()
  await move((await organizationOf(world.stranger, 'Other')).id)
  expect(await clones()).toEqual([])
  await move(own)
  expect(await clones()).toHaveLength(1)
})

test('what held when the backup was made does not hold in a new project', patience, async () => {
  const { ref, control, ada } = world
  const setReadOnly = control.compute.setReadOnly
  await setReadOnly(ref, true)
  const path = `/platform/database/${ref}/backups`
  const { id } = (await ada.call('POST', path)).body
  type Kept = { id: number; status: string }
  await expect
    .poll(async () => {
      const kept = (await ada.call('GET', path)).body['backups'] as Kept[]
      return kept.find((one) => one.id === id)?.status
    })
    .toBe('COMPLETED')
  await setReadOnly(ref, false)
  const made = await order({ cloneBackupId: id, newProjectName: 'Free books' })
  const free = String(made.body['ref'])
  await reaches(free, 'ACTIVE_HEALTHY')
  await expect
    .poll(() =>
      sqlIn(free, "select setting from pg_settings where name = 'default_transaction_read_only'"),
    )
    .toEqual([{ setting: 'off' }])
})

test('one that failed is made again with the data, not empty', patience, async () => {
  const { backups } = world.control.compute
  if (!backups) throw new Error('This provider keeps no backups')
  const restore = backups.restore
  backups.restore = () => Promise.reject(new Error('no room on the disk'))
  const made = await order({ cloneBackupId: backup, newProjectName: 'Third books' })
  const third = String(made.body['ref'])
  await reaches(third, 'INIT_FAILED')
  backups.restore = restore
  expect((await world.ada.call('GET', `/platform/projects/${third}`)).body['failure']).toBe(
    'no room on the disk',
  )
  expect((await clones())[0]).toMatchObject({ status: 'FAILED' })
  await world.ada.call('POST', `/platform/projects/${third}/restore`)
  await reaches(third, 'ACTIVE_HEALTHY')
  expect(await sqlIn(third, 'select count(*)::int as count from notes')).toEqual([{ count: 200 }])
  expect((await clones())[0]).toMatchObject({ status: 'COMPLETED' })
  await world.ada.call('DELETE', `/platform/projects/${third}`)
  await expect.poll(async () => (await clones())[0]?.status).toBe('REMOVED')
})
