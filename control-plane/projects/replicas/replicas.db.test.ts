import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Replicas, type Replica } from '#contract/projects/replicas'
import type { DatabaseAddress, ReadReplicas } from '#compute/provider'
import { withClient } from '#kit/postgres/client'
import { internalToken } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let at: string
beforeAll(async () => {
  world = await startWorld('create table notes as select 7 as n')
  at = `/platform/projects/${world.ref}/read-replicas`
})
afterAll(() => world.end())

const within = { timeout: 120_000, interval: 50 }
const project = () => `/platform/projects/${world.ref}`
const set = (values: { tier: 'tier_free' | 'tier_pro' }) =>
  world.control.db.updateTable('platform.organizations').set(values).execute()
const resizeTo = (compute_size: 'micro' | 'small' | 'medium') =>
  world.control.db.updateTable('platform.projects').set({ compute_size }).execute()
const list = async () => Replicas.parse((await world.ada.call('GET', at)).body).replicas
const statuses = async () => (await list()).map(({ status, state }) => `${status} ${state}`)
const status = async () => (await world.ada.call('GET', `${project()}/status`)).body['status']
const usages = async () =>
  (
    await world.control.db
      .selectFrom('platform.compute_usage')
      .select(['compute_size', 'replica', 'ended_at'])
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute()
  ).map(
    ({ compute_size, replica }) => `${compute_size} ${replica === null ? 'project' : 'replica'}`,
  )
async function made(): Promise<Replica> {
  const { status: code, body } = await world.ada.call('POST', at)
  expect(code, JSON.stringify(body)).toBe(201)
  const identifier = String(body['identifier'])
  await expect
    .poll(async () => (await list()).find((one) => one.identifier === identifier)?.state, within)
    .toBe('streaming')
  const found = (await list()).find((one) => one.identifier === identifier)
  if (!found) throw new Error('It is gone')
  return found
}
const addressOf = async (identifier: string): Promise<DatabaseAddress> => {
  const row = await world.control.db
    .selectFrom('platform.read_replicas')
    .select('db_address')
    .where('identifier', '=', identifier)
    .executeTakeFirstOrThrow()
  const { host, port } = row.db_address ?? { host: '', port: 0 }
  return { socketDir: host, port }
}
const askReplica = async (identifier: string, query: string) => {
  const { socketDir: host, port } = await addressOf(identifier)
  const login = { user: 'postgres', password: world.password, database: 'postgres' }
  return withClient({ host, port, ...login }, async (client) => (await client.query(query)).rows)
}

/** With which the control plane asks for them. */
async function adminPasswordSeen(replicas: ReadReplicas): Promise<string> {
  const { list: ask } = replicas
  let seen = ''
  replicas.list = (ref, password) => ask(ref, (seen = password))
  await list()
  replicas.list = ask
  return seen
}

describe('refused', () => {
  test('who is not signed in, and whose project it is not', async () => {
    expect((await fetch(`${world.controlUrl}${at}`)).status).toBe(401)
    expect((await world.stranger.call('GET', at)).status).toBe(404)
    expect((await world.stranger.call('POST', at)).status).toBe(404)
    expect((await world.stranger.call('DELETE', `${at}/abcde`)).status).toBe(404)
    expect((await world.stranger.call('POST', `${at}/abcde/restart`)).status).toBe(404)
  })

  test('members who make none, and may look', async () => {
    for (const role of ['Developer', 'Read-only'] as const) {
      expect((await world.as(role).call('GET', at)).status, role).toBe(200)
      expect((await world.as(role).call('POST', at)).status, role).toBe(403)
      expect((await world.as(role).call('DELETE', `${at}/abcde`)).status, role).toBe(403)
    }
    expect((await world.as('Read-only').call('POST', `${at}/abcde/restart`)).status).toBe(403)
    expect((await world.as('Developer').call('POST', `${at}/abcde/restart`)).status).toBe(404)
  })

  test('what is no identifier, or nobody’s', async () => {
    expect((await world.ada.call('DELETE', `${at}/ABCDE`)).status).toBe(400)
    expect((await world.ada.call('DELETE', `${at}/..%2F..`)).status).toBe(400)
    expect(await world.ada.call('DELETE', `${at}/abcde`)).toMatchObject({
      status: 404,
      body: { code: 'replica_not_found' },
    })
  })

  test('a plan without them, and a size that is too small', async () => {
    await resizeTo('micro')
    expect(await world.ada.call('POST', at)).toMatchObject({
      status: 409,
      body: { code: 'compute_too_small', message: expect.stringContaining('Small') },
    })
    await set({ tier: 'tier_free' })
    const refused = { status: 403, body: { code: 'plan_limit' } }
    expect(await world.ada.call('POST', at)).toMatchObject(refused)
    await set({ tier: 'tier_pro' })
    await resizeTo('small')
  })
})

test('a replica is made, read, paid for, restarted and dropped', async () => {
  const { identifier } = await made()
  expect(await usages()).toEqual(['small project', 'small replica'])
  await world.sql('insert into notes values (8)')
  await expect
    .poll(() => askReplica(identifier, 'select max(n)::int as n from notes'), within)
    .toEqual([{ n: 8 }])
  await expect(askReplica(identifier, 'delete from notes')).rejects.toMatchObject({ code: '25006' })
  expect(await list()).toMatchObject([{ identifier, lag_bytes: 0, reason: null }])

  const token = { authorization: `Bearer ${internalToken}` }
  const ports = await fetch(`${world.controlUrl}/internal/database-ports`, { headers: token })
  expect(await ports.json()).toMatchObject([
    { ref: world.ref, replicas: [{ tenant: `${world.ref}-rr-${identifier}` }] },
  ])

  const { db } = world.control
  const upcoming = await world.ada.call(
    'GET',
    '/platform/organizations/acme/billing/invoices/upcoming',
  )
  expect(JSON.stringify(upcoming.body)).toContain('Read replicas, Small compute, Books')

  expect((await world.as('Developer').call('POST', `${at}/${identifier}/restart`)).status).toBe(201)
  await expect.poll(statuses, within).toEqual(['ACTIVE_HEALTHY streaming'])

  const dropped = await world.ada.call('DELETE', `${at}/${identifier}`)
  expect(dropped).toMatchObject({ status: 200, body: { status: 'GOING_DOWN' } })
  expect((await world.ada.call('DELETE', `${at}/${identifier}`)).status).toBeGreaterThan(400)
  await expect.poll(list, within).toEqual([])
  expect(await usages()).toEqual(['small project'])
  expect(
    await world.sql(
      "select count(*)::int as n from pg_replication_slots where slot_type = 'physical'",
    ),
  ).toEqual([{ n: 0 }])
  const actions = await db
    .selectFrom('platform.audit_entries')
    .select('action')
    .where('action', 'like', 'replicas.%')
    .orderBy('id')
    .execute()
  expect(actions.map(({ action }) => action)).toEqual([
    'replicas.create',
    'replicas.restart',
    'replicas.remove',
  ])
})

test('a project has as many as its size allows, also when two are made at once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => world.ada.call('POST', at)))
  expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 201, 403])
  await expect
    .poll(statuses, within)
    .toEqual(['ACTIVE_HEALTHY streaming', 'ACTIVE_HEALTHY streaming'])
  const addOns = `${project()}/billing/addons`
  const smaller = { addon_type: 'compute_instance', addon_variant: 'ci_micro' }
  expect(await world.ada.call('POST', addOns, smaller)).toMatchObject({
    status: 409,
    body: { code: 'compute_too_small', message: expect.stringContaining('2 read replicas') },
  })
})

test('paused with its project, it costs nothing, and follows again afterwards', async () => {
  await world.ada.call('POST', `${project()}/pause`)
  await expect.poll(status, within).toBe('INACTIVE')
  expect(await usages()).toEqual([])
  expect(await statuses()).toEqual(['ACTIVE_HEALTHY stopped', 'ACTIVE_HEALTHY stopped'])
  expect(await world.ada.call('POST', at)).toMatchObject({ status: 409 })
  const [first] = await list()
  await world.ada.call('DELETE', `${at}/${first?.identifier ?? ''}`)
  await expect.poll(async () => (await list()).length, within).toBe(1)
  await world.ada.call('POST', `${project()}/restore`)
  await expect.poll(status, within).toBe('ACTIVE_HEALTHY')
  await expect.poll(statuses, within).toEqual(['ACTIVE_HEALTHY streaming'])
  expect(await usages()).toEqual(['small project', 'small replica'])
})

test('one that lost what it follows is made anew, and one that no row knows goes', async () => {
  const [first] = await list()
  const identifier = first?.identifier ?? ''
  const { compute, db } = world.control
  if (!compute.replicas) throw new Error('This provider has no read replicas')
  const adminPassword = await adminPasswordSeen(compute.replicas)
  await compute.replicas.make({ ref: world.ref, id: 'zzzzz' }, adminPassword)
  // As after a restore: its slot is not in the database that came back.
  await compute.replicas.drop({ ref: world.ref, id: identifier }, adminPassword)
  await world.control.mendReplicas()
  await expect.poll(statuses, within).toEqual(['ACTIVE_HEALTHY streaming'])
  expect(await compute.replicas.list(world.ref, adminPassword)).toMatchObject([{ id: identifier }])
  const { n } = await db
    .selectFrom('platform.audit_entries')
    .select((e) => e.fn.countAll<string>().as('n'))
    .where('action', '=', 'replicas.remake')
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(1)
})

test('programs order and drop them by the Management API', async () => {
  const v1 = `/v1/projects/${world.ref}/read-replicas`
  const region = { read_replica_region: 'eu-central-1' }
  expect((await world.stranger.call('POST', `${v1}/setup`, region)).status).toBe(404)
  expect((await world.as('Developer').call('POST', `${v1}/setup`, region)).status).toBe(403)
  expect(
    (await world.ada.call('POST', `${v1}/setup`, { read_replica_region: 'moon' })).status,
  ).toBe(400)
  expect((await world.ada.call('POST', `${v1}/setup`, region)).status).toBe(201)
  await expect.poll(async () => (await statuses()).at(-1), within).toBe('ACTIVE_HEALTHY streaming')
  const last = (await list()).at(-1)?.identifier ?? ''
  for (const named of ['abcde', `${world.ref}-rr-`, '../../x'])
    expect(
      (await world.ada.call('POST', `${v1}/remove`, { database_identifier: named })).status,
    ).toBe(404)
  const dropped = await world.ada.call('POST', `${v1}/remove`, {
    database_identifier: `${world.ref}-rr-${last}`,
  })
  expect(dropped.status).toBe(201)
  await expect.poll(async () => (await list()).length, within).toBe(1)
})

test('a plan that has none takes them away, and a project that is deleted leaves nothing', async () => {
  await set({ tier: 'tier_free' })
  await world.control.mendReplicas()
  await expect.poll(list, within).toEqual([])
  await set({ tier: 'tier_pro' })
  await made()
  await world.ada.call('DELETE', project())
  await expect
    .poll(async () => (await world.control.compute.list()).includes(world.ref), within)
    .toBe(false)
  await expect.poll(usages, within).toEqual([])
  // They are forgotten when the job ends, which is after the server is gone.
  const left = world.control.db.selectFrom('platform.read_replicas').selectAll()
  await expect.poll(() => left.execute(), within).toEqual([])
})
