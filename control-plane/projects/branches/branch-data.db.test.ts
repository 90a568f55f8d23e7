import { afterAll, beforeAll, expect, test } from 'vitest'
import { Branch, BranchStep } from '#contract/projects/branches'
import { branchBench } from '../../testing/branches.ts'
import { startWorld, type World } from '../../testing/world.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }
const hourMs = 3_600_000

let world: World
let bench: ReturnType<typeof branchBench>
let path: string
let now = new Date()
let settings: string
beforeAll(async () => {
  world = await startWorld('', { now: () => now })
  bench = branchBench(world)
  path = bench.path
  settings = `/platform/projects/${world.ref}/branch-settings`
  await bench.change(
    world.ref,
    'people',
    'create table public.people (id int primary key, email text not null, age int)',
  )
  await world.sql(
    `insert into people select n, 'person-' || n || '@secret.example', n from generate_series(1, 50) n;
     create view grown as select id from people where age > 17`,
  )
})
afterAll(() => world.end())

const make = async (name: string, more: object) => {
  const made = await world.ada.call('POST', path, { name, ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return bench.atRest(Branch.parse(made.body).id)
}
const steps = async (id: string) =>
  BranchStep.array()
    .parse((await world.ada.call('GET', `${path}/${id}/steps`)).body['steps'])
    .map(({ message }) => message)
    .join('\n')
const first = async (ref: string, query: string): Promise<unknown> => {
  const [row] = await bench.sqlOf(ref, query)
  return Object.values(Object(row))[0]
}
const choose = (masks: object[], hours: number | null = 24, by = world.ada) =>
  by.call('PUT', settings, { pause_after_hours: hours, masks })
const email = { schema: 'public', table: 'people', column: 'email', kind: 'fake_email' }
/** What was made for branches alone is gone with the job. */
const nothingIsLeft = async () => {
  const { db, compute } = world.control
  expect(await db.selectFrom('platform.backups').selectAll().execute()).toEqual([])
  expect(await compute.backups?.list(world.ref)).toEqual([])
}

test('who may not is refused, and a list of columns that does not fit is not taken', async () => {
  expect((await world.stranger.call('GET', settings)).status).toBe(404)
  expect(
    (await world.stranger.call('PUT', settings, { pause_after_hours: 1, masks: [] })).status,
  ).toBe(404)
  for (const role of ['Developer', 'Read-only'] as const) {
    expect((await world.as(role).call('GET', settings)).status).toBe(200)
    expect((await choose([], 1, world.as(role))).status).toBe(403)
  }
  expect((await world.ada.call('POST', path, { name: 'x', starts_with: 'all' })).status).toBe(400)
  for (const hours of [0, -1, 721, 1.5, 'one'])
    expect(
      (await world.ada.call('PUT', settings, { pause_after_hours: hours, masks: [] })).status,
    ).toBe(400)
  const wrong = [
    [{ ...email, column: 'gone' }, 'public.people.gone does not exist'],
    [{ ...email, kind: 'null' }, 'public.people.email cannot be null. Choose another value'],
    [
      { ...email, column: 'age' },
      'public.people.age is not a text. Only null can stand in its place',
    ],
    [
      { ...email, schema: 'auth', table: 'sessions', column: 'ip' },
      'auth.sessions.ip belongs to the platform. Of auth, users.email and users.phone can be masked',
    ],
    [{ ...email, kind: 'fixed' }, undefined],
    [{ ...email, table: "people'; drop table people; --" }, undefined],
  ] as const
  for (const [mask, message] of wrong) {
    const refused = await choose([mask])
    expect(refused.status, JSON.stringify(mask)).toBe(400)
    if (message !== undefined) expect(refused.body['message']).toBe(message)
  }
  expect((await choose([email, email])).status).toBe(400)
  expect((await world.ada.call('GET', settings)).body).toEqual({
    pause_after_hours: 24,
    masks: [],
    merge_approvals: 0,
  })
})

let plain: Branch
test(
  'a branch with the data of main has its rows and migrations, and keys and passwords of its own',
  patience,
  async () => {
    plain = await make('plain', { starts_with: 'data' })
    expect(plain).toMatchObject({
      failure: null,
      with_data: true,
      starts_with: 'data',
      status: 'FUNCTIONS_DEPLOYED',
    })
    const { project_ref: ref } = plain
    expect(await first(ref, 'select count(*)::int from people')).toBe(50)
    expect(await first(ref, 'select count(*)::int from grown')).toBe(33)
    const log = await steps(plain.id)
    expect(log).toMatch(/The database of main was copied as it was at 20\d\d-/)
    expect(log).toContain('Files in storage were not copied')
    expect(log).toContain('No migration was missing')
    await nothingIsLeft()
    const difference = (await world.ada.call('GET', `${path}/${plain.id}/difference`)).body
    expect(difference).toMatchObject({ migrations: [], missing: [], clashes: [] })
    const keysOf = async (of: string) =>
      JSON.stringify(
        (await world.ada.call('GET', `/platform/projects/${of}/settings`)).body['service_api_keys'],
      )
    expect(await keysOf(ref)).not.toBe(await keysOf(world.ref))
    // Neither is what was made for it in a list of main's.
    expect(
      (await world.ada.call('GET', `/platform/database/${world.ref}/backups`)).body['backups'],
    ).toEqual([])
    expect(
      (await world.ada.call('GET', `/platform/database/${world.ref}/clone/status`)).body['clones'],
    ).toEqual([])
  },
)

test(
  'a masked column has no value of before, and one that is gone meanwhile stops the branch',
  patience,
  async () => {
    expect((await choose([email])).status).toBe(200)
    const masked = await make('masked', { starts_with: 'data' })
    expect(masked.failure).toBeNull()
    expect(
      await first(
        masked.project_ref,
        `select count(*)::int from people where email like '%secret%'`,
      ),
    ).toBe(0)
    expect(await first(masked.project_ref, 'select email from people where id = 7')).toBe(
      'user-7@example.com',
    )
    expect(await steps(masked.id)).toContain('Masked: public.people.email')
    const entries = await world.control.db
      .selectFrom('platform.audit_entries')
      .select('change')
      .where('action', '=', 'branches.setSettings')
      .execute()
    expect(entries).toMatchObject([
      { change: { before: { masks: [] }, after: { masks: ['public.people.email: fake_email'] } } },
    ])

    // Reset, it gets the data of now, masked again; the list is the one of now.
    await world.sql(`insert into people values (51, 'person-51@secret.example', 9)`)
    await bench.sqlOf(masked.project_ref, 'create table public.mine (id int)')
    expect((await world.ada.call('POST', `${path}/${masked.id}/reset`)).status).toBe(201)
    expect((await bench.atRest(masked.id)).failure).toBeNull()
    expect(
      await first(masked.project_ref, `select count(*)::int from people where email like 'user-%'`),
    ).toBe(51)
    expect(await bench.tables(masked.project_ref)).not.toContain('mine')

    await world.sql('alter table people rename column email to mail')
    const stopped = await make('stopped', { starts_with: 'data' })
    expect(stopped.failure).toBe(
      'The list of masked columns does not fit: public.people.email does not exist',
    )
    expect(stopped.preview_project_status).toBe('INIT_FAILED')
    expect(await world.control.compute.inspect(stopped.project_ref)).toEqual({ state: 'absent' })
    await world.sql('alter table people rename column mail to email')
    await nothingIsLeft()
    // Once it fits, the same branch can be made: with its rows masked, and not empty.
    expect(
      (await world.ada.call('POST', `/platform/projects/${stopped.project_ref}/restore`)).status,
    ).toBe(200)
    await expect
      .poll(
        async () =>
          (await bench.list()).find(({ id }) => id === stopped.id)?.preview_project_status,
        { timeout: 120_000 },
      )
      .toBe('ACTIVE_HEALTHY')
    expect(
      await first(
        stopped.project_ref,
        `select count(*)::int from people where email like 'user-%'`,
      ),
    ).toBe(51)
    for (const { id } of [masked, stopped])
      expect((await world.ada.call('DELETE', `${path}/${id}`)).status).toBe(200)
  },
)

test(
  'a branch with the structure of main has what no migration has, and no rows',
  patience,
  async () => {
    const branch = await make('structure', { starts_with: 'schema' })
    expect(branch).toMatchObject({ failure: null, with_data: false, starts_with: 'schema' })
    expect(await first(branch.project_ref, 'select count(*)::int from people')).toBe(0)
    expect(await first(branch.project_ref, 'select count(*)::int from grown')).toBe(0)
    expect(await steps(branch.id)).toContain('without rows')
    const difference = (await world.ada.call('GET', `${path}/${branch.id}/difference`)).body
    expect(difference).toMatchObject({ migrations: [], missing: [], clashes: [] })
    expect((await world.ada.call('DELETE', `${path}/${branch.id}`)).status).toBe(200)
  },
)

test('where copies have all rows as they are, nothing else is promised', async () => {
  const { backups } = world.control.compute
  if (!backups) throw new Error('This provider has no backups')
  backups.wholeCopiesOnly = true
  try {
    const refused = { status: 403, body: { code: 'platform_only' } }
    expect((await choose([email])).status).toBe(200)
    for (const starts_with of ['schema', 'data'])
      expect(await world.ada.call('POST', path, { name: 'whole', starts_with })).toMatchObject(
        refused,
      )
  } finally {
    delete backups.wholeCopiesOnly
  }
})

test(
  'two that are made at once wait for each other, and a developer gets what is masked like everybody',
  patience,
  async () => {
    expect((await choose([email])).status).toBe(200)
    const made = await Promise.all(
      [world.ada, world.as('Developer')].map((by, i) =>
        by.call('POST', path, { name: `twin-${i}`, starts_with: 'data' }),
      ),
    )
    for (const { status, body } of made) {
      expect(status, JSON.stringify(body)).toBe(201)
      const twin = await bench.atRest(Branch.parse(body).id)
      expect(twin.failure).toBeNull()
      expect(
        await first(
          twin.project_ref,
          `select count(*)::int from people where email like '%secret%'`,
        ),
      ).toBe(0)
    }
    await nothingIsLeft()
    for (const { body } of made)
      expect((await world.ada.call('DELETE', `${path}/${Branch.parse(body).id}`)).status).toBe(200)
  },
)

test(
  'a branch that nobody uses is paused after the hours of its project, a persistent one is not',
  patience,
  async () => {
    const kept = await make('kept', { persistent: true })
    expect((await choose([], 3)).status).toBe(200)
    const statuses = async () => {
      const rows = await world.control.db
        .selectFrom('platform.projects')
        .select(['ref', 'status'])
        .where('ref', 'in', [plain.project_ref, kept.project_ref, world.ref])
        .execute()
      return new Map(rows.map(({ ref, status }) => [ref, status]))
    }
    const pausedAfter = async (hours: number) => {
      now = new Date(now.getTime() + hours * hourMs)
      await world.control.idleBranchesRound()
      return (await statuses()).get(plain.project_ref)
    }
    expect(await pausedAfter(2)).toBe('ACTIVE_HEALTHY')
    // Whoever looks at it uses it.
    expect((await world.ada.call('GET', `/platform/projects/${plain.project_ref}`)).status).toBe(
      200,
    )
    await expect
      .poll(async () =>
        (
          await world.control.db
            .selectFrom('platform.project_activity')
            .select('seen_at')
            .where('project_ref', '=', plain.project_ref)
            .executeTakeFirst()
        )?.seen_at?.getTime(),
      )
      .toBe(now.getTime())
    expect(await pausedAfter(2)).toBe('ACTIVE_HEALTHY')
    await pausedAfter(2)
    await expect.poll(async () => (await statuses()).get(plain.project_ref)).toBe('INACTIVE')
    expect(await statuses()).toEqual(
      new Map([
        [plain.project_ref, 'INACTIVE'],
        [kept.project_ref, 'ACTIVE_HEALTHY'],
        [world.ref, 'ACTIVE_HEALTHY'],
      ]),
    )
    expect(await steps(plain.id)).toContain('Nobody has used it for 3 hours, so it was paused')
    // One click, and it has all that it had; switched off, it runs for as long as it is there.
    expect((await choose([], null)).status).toBe(200)
    expect(
      (await world.ada.call('POST', `/platform/projects/${plain.project_ref}/restore`)).status,
    ).toBe(200)
    await expect.poll(async () => (await statuses()).get(plain.project_ref)).toBe('ACTIVE_HEALTHY')
    expect(await first(plain.project_ref, 'select count(*)::int from people')).toBe(50)
    expect(await pausedAfter(1000)).toBe('ACTIVE_HEALTHY')
  },
)
