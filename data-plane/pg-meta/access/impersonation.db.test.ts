import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** Rows and SQL as another role: what the role sees, and that nobody becomes more than they are. */
const ada = '11111111-1111-4111-8111-111111111111'
const bob = '22222222-2222-4222-8222-222222222222'

let meta: Meta
let notes = 0
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table notes (id int primary key, owner uuid, text text);
    insert into notes values (1, '${ada}', 'of ada'), (2, '${bob}', 'of bob'), (3, null, 'of nobody');
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid());
    create table hidden (id int primary key);
    revoke all on hidden from anon;
    create table escaping (id int primary key);
    insert into escaping values (1);
    alter table escaping enable row level security;
    create function climb() returns boolean language plpgsql as $$
    begin
      perform set_config('role', 'postgres', false);
      perform set_config('request.jwt.claims', '{"sub": "stays"}', false);
      perform set_config('transaction_read_only', 'off', false);
      delete from notes;
      return true;
    end $$;
    create policy climbing on escaping using (climb());
  `)
  notes = await idOf('notes')
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  return Number(row?.['id'])
}
const as = (role: string, claims: object = {}) => ({ as: { role, claims } })
const rows = (id: number, input: object, login?: 'plinth_read_only') =>
  meta.call('POST', `entities/${id}/rows`, input, login)
const count = (id: number, input: object, login?: 'plinth_read_only') =>
  meta.call('POST', `entities/${id}/count`, input, login)
const cellsOf = (events: RunEvent[]) =>
  events.flatMap((event) => (event.type === 'rows' ? event.rows : []))
const codesOf = (events: RunEvent[]) =>
  events.flatMap((event) => (event.type === 'error' ? [event.error.code] : []))

test('who may only read runs as nobody else, in any of the calls', async () => {
  for (const role of ['anon', 'authenticated', 'service_role', 'postgres']) {
    const answers = [
      await rows(notes, as(role), 'plinth_read_only'),
      await count(notes, as(role), 'plinth_read_only'),
      await meta.call(
        'POST',
        'query/run',
        { id: crypto.randomUUID(), query: 'select 1', ...as(role) },
        'plinth_read_only',
      ),
    ]
    for (const { status, body } of answers) {
      expect([role, status, body]).toMatchObject([role, 403, { code: 'not_allowed' }])
    }
  }
  // The login itself cannot either, by any text: it is not our refusal that holds it.
  for (const role of ['anon', 'authenticated', 'service_role', 'postgres', 'supabase_admin']) {
    const events = await meta.run({ query: `set role ${role}` }, 'plinth_read_only')
    expect([role, codesOf(events)]).toEqual([role, ['42501']])
  }
})

test.each([
  ['a role that does not exist', as('nobody "here"'), '22023'],
  ['the superuser', as('supabase_admin'), '42501'],
  ['a service of the platform', as('supabase_auth_admin'), '42501'],
])('%s is refused by Postgres', async (_name, input, code) => {
  expect(await rows(notes, input)).toMatchObject({ status: 400, body: { code } })
  const id = crypto.randomUUID()
  const run = await meta.call('POST', 'query/run', { id, query: 'select 1', ...input })
  expect(run).toMatchObject({ status: 400, body: { code } })
})

test.each([
  ['none', as('none')],
  ['no role', as('')],
  ['a NUL', as('an\0on')],
  ['64 bytes', as('a'.repeat(64))],
  ['claims that are no object', { as: { role: 'anon', claims: [1] } }],
  ['claims without end', as('anon', { text: 'x'.repeat(50_000) })],
])('%s is no request', async (_name, input) => {
  expect(await rows(notes, input)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

test('rows and counts are those of the role with its claims', async () => {
  const texts = async (input: object) => {
    const { status, body } = await rows(notes, input)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as { rows: (string | null)[][] }).rows.map(([id]) => id)
  }
  expect(await texts({})).toEqual(['1', '2', '3'])
  expect(await texts(as('anon'))).toEqual([])
  expect(await texts(as('authenticated', { sub: ada }))).toEqual(['1'])
  expect(await texts(as('authenticated', { sub: bob }))).toEqual(['2'])
  expect(await texts(as('authenticated'))).toEqual([])
  expect(await texts(as('service_role'))).toEqual(['1', '2', '3'])
  expect(await texts(as('postgres'))).toEqual(['1', '2', '3'])
  const counted = async (input: object) => (await count(notes, input)).body
  expect(await counted(as('authenticated', { sub: bob }))).toEqual({ count: 1, is_estimate: false })
  expect(await counted({ exact: true, ...as('anon') })).toEqual({ count: 0, is_estimate: false })
  // What the role may not read at all is told as Postgres says it.
  const hidden = await idOf('hidden')
  expect(await rows(hidden, as('anon'))).toMatchObject({ status: 400, body: { code: '42501' } })
  expect(await count(hidden, as('anon'))).toMatchObject({ status: 400, body: { code: '42501' } })
})

test('a policy that climbs and writes does nothing, and nothing stays in the session', async () => {
  const escaping = await idOf('escaping')
  for (let round = 0; round < 5; round += 1) {
    const { status, body } = await rows(escaping, as('anon'))
    expect([status, (body as { code: string }).code]).toEqual([400, '25001'])
    // The pool gives the same session out again.
    expect(await rows(notes, {})).toMatchObject({ status: 200, body: { rows: { length: 3 } } })
  }
  expect(await meta.sql('select count(*)::int as n from notes')).toEqual([{ n: 3 }])
})

test('claims are data: whatever they hold arrives as it was', async () => {
  const claims = { sub: ada, ['it\'s "odd"']: ["'; drop table notes; --", '\u{1f600}', 1.5, null] }
  const events = await meta.run({
    query: `select current_user, auth.uid(), auth.jwt(), auth.role(), current_setting('request.method'),
      current_setting('request.path'), current_setting('request.headers')`,
    ...as('authenticated', { ...claims, role: 'service_role' }),
  })
  const [row] = cellsOf(events)
  expect(row?.slice(0, 2)).toEqual(['authenticated', ada])
  expect(JSON.parse(row?.[2] as string)).toEqual({ ...claims, role: 'authenticated' })
  expect(row?.slice(3)).toEqual([
    'authenticated',
    'POST',
    '/impersonation-example-request-path',
    '{"accept":"*/*"}',
  ])
})

test('a run is the role in every statement, in and out of its own transactions', async () => {
  const query = `select current_user; begin; select current_user; commit; select current_user;
    select text from notes; vacuum hidden`
  const events = await meta.run({ query, ...as('authenticated', { sub: ada }) })
  expect(codesOf(events)).toEqual([])
  const [me] = ['authenticated']
  expect(cellsOf(events)).toEqual([[me], [me], [me], ['of ada']])
  const refused = await meta.run({ query: 'drop table notes', ...as('authenticated') })
  expect(codesOf(refused)).toEqual(['42501'])
})

test('what a run says of roles itself counts, and ends with the run', async () => {
  // The caller is the owner of the database anyway; see impersonation.ts.
  const query = 'select current_user; reset role; select current_user'
  const events = await meta.run({ query, ...as('anon') })
  expect(cellsOf(events)).toEqual([['anon'], ['postgres']])
  // Nobody becomes more than the login can become.
  for (const role of ['supabase_admin', 'supabase_auth_admin', 'plinth_read_only']) {
    const tried = await meta.run({ query: `reset role; set role ${role}`, ...as('anon') })
    expect([role, codesOf(tried)]).toEqual([role, ['42501']])
  }
  expect(cellsOf(await meta.run({ query: 'select current_user' }))).toEqual([['postgres']])
})

test('a run that only reads does so as any role', async () => {
  for (const query of ['delete from notes', 'reset role; delete from notes', 'select climb()']) {
    const events = await meta.run({ query, read_only: true, ...as('service_role') })
    expect([query, codesOf(events).length]).toEqual([query, 1])
  }
  const read = await meta.run({ query: 'table notes', read_only: true, ...as('anon') })
  expect([codesOf(read), cellsOf(read)]).toEqual([[], []])
  expect(await meta.sql('select count(*)::int as n from notes')).toEqual([{ n: 3 }])
})

test('users to run as: newest first, in pages, found by a part of address, number or id', async () => {
  await meta.sql(`
    insert into auth.users (id, email, phone, created_at, raw_app_meta_data, is_anonymous)
    select gen_random_uuid(), 'user' || n || '@Example.com', case when n = 7 then '4912345' end,
      nullif(n, 3) * interval '1 day' + '2026-01-01'::timestamptz, '{"provider": "email"}', n = 5
    from generate_series(1, 9) n`)
  type List = { users: { email: string; is_anonymous: boolean }[]; next: string | null }
  const users = async (query: string) => {
    const { status, body } = await meta.call('GET', `impersonation/users?${query}`)
    expect([query, status, body]).toMatchObject([query, 200, {}])
    return body as List
  }
  const seen: string[] = []
  let next: string | null = ''
  for (let pages = 0; next !== null && pages < 20; pages += 1) {
    const list: List = await users(`limit=2${next ? `&cursor=${encodeURIComponent(next)}` : ''}`)
    seen.push(...list.users.map(({ email }) => email))
    next = list.next
  }
  const numbers = [3, 9, 8, 7, 6, 5, 4, 2, 1]
  expect(seen).toEqual(numbers.map((n) => `user${n}@Example.com`))
  expect((await users('search=USER9')).users).toMatchObject([
    { app_metadata: { provider: 'email' } },
  ])
  expect((await users('search=49123')).users).toMatchObject([{ email: 'user7@Example.com' }])
  expect((await users(`search=${encodeURIComponent("%' or true --")}`)).users).toEqual([])
  expect((await users('search=user5')).users).toMatchObject([{ is_anonymous: true }])
  const refused = await meta.call('GET', 'impersonation/users', undefined, 'plinth_read_only')
  expect(refused).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  const id = crypto.randomUUID()
  for (const wrong of ["x' or 1=1", `${'-'.repeat(36)} `, `${id} 1 1 1 1`]) {
    const cursor = encodeURIComponent(wrong)
    const { status } = await meta.call('GET', `impersonation/users?cursor=${cursor}`)
    expect(status, wrong).toBe(400)
  }
})
