import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { newProjectRef } from '#kit/ids'
import { internalToken } from '../../testing/control-plane.ts'
import { newcomer } from '../../testing/people.ts'
import { dayMs, trashBench, trashPath, waitingSince } from '../../testing/trash.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let bench: ReturnType<typeof trashBench>
let now: Date
/** A project with a server of its own, of which most of these tests tell. */
let ref: string
let space: { free: number; size: number } | undefined

beforeAll(async () => {
  now = new Date()
  world = await startWorld(`create table notes (text text); insert into notes values ('kept')`, {
    trashDays: 30,
    now: () => now,
    diskReserve: 50,
  })
  bench = trashBench(world)
  ref = world.ref
  const { compute } = world.control
  const diskSpace = compute.diskSpace?.bind(compute)
  compute.diskSpace = async () => space ?? (await diskSpace?.()) ?? { free: 100, size: 1000 }
})
afterAll(() => world.end())
beforeEach(() => {
  now = new Date()
  space = undefined
})

const setTier = (tier: 'tier_free' | 'tier_team') =>
  world.control.db
    .updateTable('platform.organizations')
    .set({ tier })
    .where('slug', '=', 'acme')
    .execute()

test('who may not delete a project may neither restore it nor remove it; strangers do not see that it was there', async () => {
  const gone = await bench.bare('Gone', waitingSince(now))
  for (const [method, path] of [
    ['GET', trashPath],
    ['POST', `${trashPath}/${gone}/restore`],
    ['DELETE', `${trashPath}/${gone}`],
  ] as const) {
    expect((await world.control.app.inject({ method, url: path })).statusCode).toBe(401)
    expect((await world.stranger.call(method, path)).status).toBe(404)
  }
  for (const role of ['Developer', 'Read-only'] as const) {
    const who = world.as(role)
    expect(await bench.trashed(who)).toMatchObject([{ ref: gone, allowed: false }])
    expect((await bench.restore(gone, who)).body).toMatchObject({ code: 'not_allowed' })
    expect((await bench.removeNow(gone, who)).body).toMatchObject({ code: 'not_allowed' })
  }
  expect(await bench.trashed(world.as('Administrator'))).toMatchObject([
    { ref: gone, allowed: true },
  ])
  // One that lives is not there, nor one of nobody.
  for (const other of [ref, newProjectRef()]) {
    expect((await bench.restore(other)).body).toMatchObject({ code: 'project_not_found' })
    expect((await bench.removeNow(other)).body).toMatchObject({ code: 'project_not_found' })
  }
  expect((await bench.restore('NOPE')).status).toBe(400)
  await bench.forget(gone)
})

test('whoever has a role for single projects sees of the trash what they would see otherwise', async () => {
  const [theirs, other] = [
    await bench.bare('Theirs', waitingSince(now)),
    await bench.bare('Other', waitingSince(now)),
  ]
  const guest = await newcomer(world.control, 'guest')
  const { id, organization_id } = await bench.row(theirs)
  const { db } = world.control
  await db
    .insertInto('platform.members')
    .values({ organization_id, user_id: guest.userId, role: null })
    .execute()
  const role = await db
    .insertInto('platform.project_roles')
    .values({ organization_id, user_id: guest.userId, base_role: 'Administrator' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('platform.project_role_projects')
    .values({ role_id: role.id, project_id: id, user_id: guest.userId })
    .execute()
  expect(await bench.trashed(guest)).toMatchObject([{ ref: theirs, allowed: true }])
  expect((await bench.restore(other, guest)).body).toMatchObject({ code: 'project_not_found' })
  expect((await bench.removeNow(other, guest)).body).toMatchObject({ code: 'project_not_found' })
  await bench.forget(other)
  await db.deleteFrom('platform.project_roles').where('id', '=', role.id).execute()
  await bench.forget(theirs)
})

test('a deleted project is gone for everybody, costs nothing, and comes back as it was', async () => {
  const { db, compute } = world.control
  const before = await bench.row()
  const kept = async () => ({
    secrets: (await bench.row()).sealed_secrets,
    keys: await db.selectFrom('platform.signing_keys').select('id').orderBy('id').execute(),
    functions: await db.selectFrom('platform.project_secrets').selectAll().execute(),
  })
  await world.ada.call('POST', `/v1/projects/${ref}/secrets`, [{ name: 'TOKEN', value: 'x' }])
  const had = await kept()
  expect(had.keys.length).toBeGreaterThan(0)
  expect(had.functions).toHaveLength(1)
  await sql`insert into platform.add_on_usage (organization_id, project_ref, project_name, variant, started_at)
    values (${before.organization_id}, ${ref}, 'Books', 'cd_default', now())`.execute(db)

  await bench.discard()
  expect(await compute.inspect(ref)).toEqual({ state: 'stopped' })
  expect((await world.ada.call('GET', bench.at())).status).toBe(404)
  expect((await world.ada.call('GET', '/platform/projects')).body['projects']).toEqual([])
  expect((await fetch(`${world.project.url}/rest/v1/notes`)).status).toBe(404)
  expect(await kept()).toEqual(had)
  for (const table of ['compute_usage', 'add_on_usage'])
    expect(
      (
        await sql`select from platform.${sql.raw(table)} where project_ref = ${ref} and ended_at is null`.execute(
          db,
        )
      ).rows,
    ).toEqual([])
  const [only, ...more] = await bench.trashed()
  expect(more).toEqual([])
  expect(only).toEqual({
    ref,
    name: 'Books',
    branch: null,
    branches: 0,
    deleted_by: 'ada@example.com',
    deleted_at: expect.any(String),
    removed_for_good_at: expect.any(String),
    state: 'waiting',
    allowed: true,
  })
  const left = Date.parse(only?.removed_for_good_at ?? '') - Date.parse(only?.deleted_at ?? '')
  expect(left).toBe(30 * dayMs)
  // Whoever takes a build of extensions away hears that it may be needed.
  const use = await world.control.app.inject({
    url: '/internal/extension-use',
    headers: { authorization: `Bearer ${internalToken}` },
  })
  expect(use.json()).toMatchObject({
    projects: [{ ref, unknown: 'it is deleted and can still be restored' }],
  })
  // Nothing that looks at the world takes it for what was left behind.
  await world.control.reconcile()
  expect(await compute.inspect(ref)).toEqual({ state: 'stopped' })
  await compute.start(ref)
  await world.control.reconcile()
  expect(await compute.inspect(ref)).toEqual({ state: 'stopped' })

  const back = await bench.restore()
  expect([back.status, back.body]).toEqual([200, { ref, name: 'Books', left: [] }])
  await bench.reaches('ACTIVE_HEALTHY')
  expect(await bench.row()).toMatchObject({
    id: before.id,
    name: 'Books',
    job_id: null,
    deleted_at: null,
    removed_for_good_at: null,
    kept_add_ons: [],
  })
  expect(await kept()).toEqual(had)
  expect(await bench.notes()).toEqual([{ text: 'kept' }])
  const headers = { apikey: world.project.serviceKey }
  await expect
    .poll(async () => (await fetch(`${world.project.url}/rest/v1/notes`, { headers })).status)
    .toBe(200)
  expect(
    (
      await sql`select variant from platform.add_on_usage where project_ref = ${ref} and ended_at is null`.execute(
        db,
      )
    ).rows,
  ).toEqual([{ variant: 'cd_default' }])
  expect(await bench.trashed()).toEqual([])
  await sql`delete from platform.add_on_usage where project_ref = ${ref}`.execute(db)
  const told = await db
    .selectFrom('platform.audit_entries')
    .select('action')
    .where('target', '=', `project:${ref}`)
    .where('action', 'in', ['projects.remove', 'trash.restore'])
    .orderBy('id')
    .execute()
  expect(told.map(({ action }) => action)).toEqual(['projects.remove', 'trash.restore'])
})

test('what the organization has no room for stays in the trash, with the reason', async () => {
  await bench.discard()
  const namesake = await bench.bare('books')
  expect(await bench.restore()).toMatchObject({
    status: 409,
    body: {
      code: 'name_taken',
      message: 'Another project is called Books. Rename it, then restore this one',
    },
  })
  await bench.forget(namesake)
  await setTier('tier_free')
  const two = [
    await bench.bare('One', { status: 'ACTIVE_HEALTHY' }),
    await bench.bare('Two', { status: 'ACTIVE_HEALTHY' }),
  ]
  expect((await bench.restore()).body).toMatchObject({ code: 'free_project_limit' })
  for (const one of two) await bench.forget(one)
  await setTier('tier_team')
  space = { free: 49, size: 1000 }
  expect(await bench.restore()).toMatchObject({ status: 409, body: { code: 'disk_short' } })
  space = { free: 50, size: 1000 }
  expect(await bench.trashed()).toMatchObject([{ ref, state: 'waiting' }])
  await bench.bring()
})

test('of two who restore, or restore and remove, one is first', async () => {
  await bench.discard()
  const both = await Promise.all([bench.restore(), bench.restore()])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  await bench.reaches('ACTIVE_HEALTHY')
  expect(await bench.notes()).toEqual([{ text: 'kept' }])
})

test('a port of the machine that was given away meanwhile is given up, and that is said', async () => {
  const { db } = world.control
  const port = 45_678
  await db
    .updateTable('platform.projects')
    .set({ listen_port: port })
    .where('ref', '=', ref)
    .execute()
  await bench.discard()
  const other = await bench.bare('Other', { listen_port: port })
  expect((await bench.restore()).body['left']).toEqual([
    `Another project has port ${port} of this machine now`,
  ])
  await bench.reaches('ACTIVE_HEALTHY')
  expect((await bench.row()).listen_port).toBeNull()
  await bench.forget(other)
})

test('a job of a deletion that runs again meets a project that was brought back, and leaves it alone', async () => {
  const { db, jobs } = world.control
  await bench.discard()
  await bench.bring()
  const job = await db
    .insertInto('platform.jobs')
    .values({ name: 'project.remove', subject: ref })
    .returning(['id', 'name', 'subject'])
    .executeTakeFirstOrThrow()
  await jobs.start(job)
  await expect
    .poll(async () => {
      const { finished_at: at } = await db
        .selectFrom('platform.jobs')
        .select('finished_at')
        .where('id', '=', job.id)
        .executeTakeFirstOrThrow()
      return at
    })
    .not.toBeNull()
  expect((await bench.row()).status).toBe('ACTIVE_HEALTHY')
  expect(await bench.notes()).toEqual([{ text: 'kept' }])
})

test('its read replicas go at once, and it comes back without them', async () => {
  const { compute, db } = world.control
  const path = `${bench.at()}/read-replicas`
  await db
    .updateTable('platform.projects')
    .set({ compute_size: 'small' })
    .where('ref', '=', ref)
    .execute()
  const made = await world.ada.call('POST', path)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const rows = async () =>
    (await world.ada.call('GET', path)).body['replicas'] as { status: string }[]
  await expect.poll(rows, { timeout: 120_000 }).toMatchObject([{ status: 'ACTIVE_HEALTHY' }])
  await bench.discard()
  expect(await db.selectFrom('platform.read_replicas').selectAll().execute()).toEqual([])
  expect(await compute.replicas?.list(ref, 'it is not asked')).toEqual([])
  await bench.bring()
  expect(await bench.notes()).toEqual([{ text: 'kept' }])
  expect(await rows()).toEqual([])
})
