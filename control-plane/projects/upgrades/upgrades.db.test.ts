import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServerVersions } from '#compute/provider'
import type { Versions } from '#contract/projects/upgrades'
import { startWorld, type World } from '../../testing/world.ts'

/**
 * What a project runs on and what is installed, as its members see and change it. The servers here have one version (those of two are
 * `compute/local/versions/versions.db.test.ts`'s): the provider is told to say otherwise, and starts the real server again.
 */
let world: World
let passed = 0
let runsOn = '17.09'
let refuses: string[] = []
let extensions = ['plpgsql', 'pg_stat_statements', 'uuid-ossp', 'pgcrypto']
const ordered: string[] = []
const installed = '17.10'

beforeAll(async () => {
  world = await startWorld('create table notes as select 7 as n', {
    now: () => new Date(Date.now() + passed),
  })
  const { compute } = world.control
  const of = (id: string) => ({ id, version: id.split('-')[0] ?? id })
  compute.versions = (): Promise<ServerVersions> =>
    Promise.resolve({ current: of(runsOn), latest: { ...of(installed), extensions } })
  compute.changeVersion = async (ref, id) => {
    ordered.push(id)
    if (refuses.includes(id)) throw new Error('it does not start')
    runsOn = id
    return { address: await compute.restart(ref), downMs: 12 }
  }
  extensions = (await world.sql('select extname as name from pg_extension')).map(({ name }) =>
    String(name),
  )
})
afterAll(() => world.end())
beforeEach(() => {
  runsOn = '17.09'
  refuses = []
  ordered.splice(0)
})

const path = () => `/platform/projects/${world.ref}`
const get = async (by = world.ada) =>
  (await by.call('GET', `${path()}/upgrade`)).body as unknown as Versions
const order = (by = world.ada) => by.call('POST', `${path()}/upgrade`, {})
const setWindow = (window: unknown, by = world.ada) =>
  by.call('PUT', `${path()}/maintenance-window`, { window })
const detail = async () => (await world.ada.call('GET', path())).body
const status = async () => (await world.ada.call('GET', `${path()}/status`)).body['status']
const settled = (to = 'ACTIVE_HEALTHY') => expect.poll(status, { timeout: 120_000 }).toBe(to)
const v1 = (method: 'GET' | 'POST', what: string, body?: object) =>
  world.ada.call(method, `/v1/projects/${world.ref}/upgrade${what}`, body)

describe('refused', () => {
  test('who may not change the project, what is no window, a project that is not there', async () => {
    expect((await order(world.stranger)).status).toBe(404)
    expect((await setWindow(null, world.stranger)).status).toBe(404)
    for (const window of [
      { weekday: 7, hour: 1 },
      { weekday: 1, hour: 24 },
      { weekday: 1.5, hour: 1 },
      { weekday: 'Monday', hour: 1 },
      {},
    ])
      expect((await setWindow(window)).status).toBe(400)
    const nowhere = `/platform/projects/${'z'.repeat(20)}/upgrade`
    expect((await world.ada.call('GET', nowhere)).status).toBe(404)
    expect((await v1('POST', '', { target_version: '18' })).status).toBe(400)
  })

  test('a project that runs on what is installed', async () => {
    runsOn = installed
    expect(await get()).toMatchObject({ current: installed, blockers: null })
    expect((await order()).body).toMatchObject({ code: 'nothing_to_upgrade' })
    expect((await v1('GET', '/eligibility')).body).toMatchObject({
      eligible: false,
      target_upgrade_versions: [],
    })
    expect((await v1('POST', '', { target_version: installed })).status).toBe(409)
  })

  test('a database whose extensions the other version does not have', async () => {
    const all = extensions
    extensions = all.filter((name) => name !== 'plpgsql')
    const [blocker] = (await get()).blockers ?? []
    expect(blocker).toContain('has the extension plpgsql')
    const refused = await order()
    expect([refused.status, refused.body['code']]).toEqual([409, 'upgrade_blocked'])
    expect((await v1('GET', '/eligibility')).body).toMatchObject({
      eligible: false,
      potential_breaking_changes: [blocker],
    })
    extensions = all
    expect(ordered).toEqual([])
  })
})

test('upgraded on demand: UPGRADING, one start, the version that it has, and what is told of it', async () => {
  expect(await get()).toMatchObject({ current: '17.09', installed, blockers: [] })
  expect((await v1('GET', '/eligibility')).body).toMatchObject({
    eligible: true,
    target_upgrade_versions: [{ app_version: installed, postgres_version: '17' }],
  })
  const answer = await order()
  expect(answer.status).toBe(201)
  await settled()
  expect(ordered).toEqual([installed])
  expect(await get()).toMatchObject({
    current: installed,
    blockers: null,
    last: { from: '17.09', to: installed, outcome: 'upgraded', failure: null, down_ms: 12 },
  })
  expect(await detail()).toMatchObject({ dbVersion: installed })
  expect((await v1('GET', '/status')).body).toMatchObject({
    databaseUpgradeStatus: { status: 2 },
  })
  expect(await world.sql('select n from notes')).toEqual([{ n: 7 }])
})

test('one that does not come up runs on what it had, and its members are told why', async () => {
  refuses = [installed]
  expect((await v1('POST', '', { target_version: '17' })).status).toBe(201)
  await expect.poll(async () => (await get()).last?.outcome, { timeout: 120_000 }).toBe('kept')
  await settled()
  expect(ordered).toEqual([installed, '17.09'])
  const { last, current } = await get()
  expect(current).toBe('17.09')
  expect(last?.failure).toBe(
    `The database did not start with PostgreSQL ${installed}, so it runs on 17.09 as before. it does not start`,
  )
  expect((await v1('GET', '/status')).body).toMatchObject({ databaseUpgradeStatus: { status: 1 } })
  expect(await world.sql('select n from notes')).toEqual([{ n: 7 }])
})

test('in the hour of the week that was chosen it is upgraded by itself, and what failed is not tried again', async () => {
  const hour = 3
  // The next Sunday at half past three, UTC.
  const now = new Date()
  const sunday = new Date(now)
  sunday.setUTCDate(now.getUTCDate() + ((7 - now.getUTCDay()) % 7) + 7)
  sunday.setUTCHours(3, 30, 0, 0)
  expect((await setWindow({ weekday: 0, hour })).status).toBe(200)
  expect((await get()).window).toEqual({ weekday: 0, hour: 3 })

  passed = sunday.getTime() - now.getTime() - 3_600_000
  await world.control.upgradesRound()
  expect(ordered).toEqual([])
  passed += 3_600_000
  // The one of the last test has failed with this version.
  await world.control.upgradesRound()
  expect(ordered).toEqual([])
  await world.control.db.deleteFrom('platform.project_upgrades').execute()
  await world.control.upgradesRound()
  await expect.poll(async () => (await get()).last?.outcome, { timeout: 120_000 }).toBe('upgraded')
  await settled()
  expect(ordered).toEqual([installed])
  await world.control.upgradesRound()
  expect(ordered).toEqual([installed])
  expect((await setWindow(null)).status).toBe(200)
  expect((await get()).window).toBeNull()
  passed = 0
})

test('an order that was broken off ends with what the server runs on', async () => {
  const { db } = world.control
  const job = await db.selectFrom('platform.jobs').select('id').executeTakeFirstOrThrow()
  const { id } = await db
    .selectFrom('platform.projects')
    .select('id')
    .where('ref', '=', world.ref)
    .executeTakeFirstOrThrow()
  for (const [current, outcome] of [
    [installed, 'upgraded'],
    ['17.09', 'kept'],
  ] as const) {
    runsOn = current
    await db.deleteFrom('platform.project_upgrades').execute()
    await db
      .insertInto('platform.project_upgrades')
      .values({
        job_id: job.id,
        project_id: id,
        from_programs: '17.09',
        to_programs: installed,
        ordered_at: new Date(),
      })
      .execute()
    await world.control.settleUpgrades()
    expect((await get()).last?.outcome).toBe(outcome)
    expect(await detail()).toMatchObject({ dbVersion: current })
  }
})
