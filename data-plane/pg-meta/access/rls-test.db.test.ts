import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RlsResult } from '#contract/database/rls-test'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

const ada = '11111111-1111-4111-8111-111111111111'
let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table "Odd ""t""" (
      id int primary key, owner uuid default auth.uid(), "te am" int, twice int generated always as ("te am" * 2) stored,
      serial serial, at timestamptz default now());
    insert into "Odd ""t""" (id, owner, "te am")
      select n, case n % 2 when 0 then '${ada}'::uuid end, n % 4 from generate_series(1, 8) n;
    alter table "Odd ""t""" enable row level security;
    create table plain (v text); insert into plain select 'x' || n from generate_series(1, 5) n;
    create table wide (id int primary key, a int, b int); insert into wide values (1, 1, 1);
    alter table wide enable row level security;
    revoke all on wide from anon; grant select (id), update (a) on wide to anon;
    create schema closed; create table closed.inside (id int primary key);
  `)
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  return Number(row?.['id'])
}
const odd = '"Odd ""t"""'
const me = { role: 'authenticated', claims: { sub: ada, level: 2 } }
const call = async (name: string, input: object, login?: 'plinth_read_only') =>
  meta.call('POST', `entities/${await idOf(name)}/rls-test`, { as: me, ...input }, login)
async function tested(name: string, input: object): Promise<RlsResult> {
  const { status, body } = await call(name, input)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as RlsResult
}
const withPolicies = async (...policies: string[]) => {
  const old = await meta.sql(
    `select polname as name from pg_policy where polrelid = '${odd}'::regclass`,
  )
  const drops = old.map(
    ({ name }) => `drop policy "${String(name).replaceAll('"', '""')}" on ${odd}`,
  )
  await meta.sql([...drops, ...policies, 'select 1'].join(';\n'))
}

test.each<[string, object, number]>([
  ['no role', { command: 'SELECT', as: undefined }, 400],
  ['an unknown role', { command: 'SELECT', as: { role: 'nobody' } }, 400],
  ['a role of the platform', { command: 'SELECT', as: { role: 'supabase_admin' } }, 400],
  ['an unknown command', { command: 'DROP' }, 400],
  ['an unknown column', { command: 'INSERT', values: { nope: '1' } }, 400],
  ['a value that the type refuses', { command: 'UPDATE', values: { id: 'x' } }, 400],
  ['a foreign cursor', { command: 'SELECT', cursor: '["a","b"]' }, 400],
  ['a cursor that is none', { command: 'SELECT', cursor: '); drop' }, 400],
])('%s is refused', async (_, input, status) => {
  expect(await call(odd, input)).toMatchObject({ status, body: { message: expect.any(String) } })
})

test('who may only read tests nothing, and views have no policies', async () => {
  const refused = await call(odd, { command: 'SELECT' }, 'plinth_read_only')
  expect(refused).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  await meta.sql('create view seen as select * from plain')
  expect((await call('seen', { command: 'SELECT' })).status).toBe(400)
})

test('each row tells which policy decided', async () => {
  await withPolicies(
    `create policy own on ${odd} for select using (owner = auth.uid())`,
    `create policy low on ${odd} as restrictive for select using (id < 5)`,
    `create policy others on ${odd} for select to anon using (true)`,
  )
  const { policies, rows } = await tested(odd, { command: 'SELECT' })
  const named = new Map(policies.map(({ id, name }) => [id, name]))
  expect(policies.map(({ name, applies }) => [name, applies])).toEqual([
    ['low', true],
    ['others', false],
    ['own', true],
  ])
  const outcomes = rows.map(({ steps }) =>
    steps[0]?.policies.map(({ id, passed }) => `${named.get(id)} ${passed}`).join(', '),
  )
  expect(outcomes.slice(3, 6)).toEqual([
    'low true, own true',
    'low false, own null',
    'low false, own true',
  ])
})

test('pages of rows, all of them or those that are seen', async () => {
  await withPolicies(`create policy even on ${odd} for select using (id % 2 = 0)`)
  const ids = async (input: object) => {
    const seen: unknown[] = []
    let cursor: string | null | undefined
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const page = await tested(odd, {
        command: 'DELETE',
        limit: 3,
        ...input,
        ...(cursor ? { cursor } : {}),
      })
      seen.push(...page.rows.map(({ before }) => before[0]))
      cursor = page.next
    }
    return seen
  }
  expect(await ids({})).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  expect(await ids({ only_seen: true })).toEqual(['2', '4', '6', '8'])
  const first = await tested('plain', { command: 'SELECT', limit: 2 })
  expect(first).toMatchObject({ inactive: 'off', rows: [{ before: ['x1'] }, { before: ['x2'] }] })
  const rest = await tested('plain', { command: 'SELECT', limit: 3, cursor: first.next })
  expect(rest).toMatchObject({ next: null, rows: [{ before: ['x3'] }, {}, { before: ['x5'] }] })
})

test('an insert shows the row with its defaults, and a sequence is not moved', async () => {
  await withPolicies(
    `create policy own on ${odd} for insert with check (owner = auth.uid() and twice = 6)`,
  )
  const { columns, rows, unknown_columns } = await tested(odd, {
    command: 'INSERT',
    values: { id: '50', 'te am': '3', at: { default: true } },
  })
  expect(unknown_columns).toEqual(['serial'])
  const after = Object.fromEntries(columns.map((name, at) => [name, rows[0]?.after?.[at]]))
  expect(after).toMatchObject({ id: '50', owner: ada, 'te am': '3', twice: '6', serial: null })
  expect(rows[0]).toMatchObject({
    outcome: 'allowed',
    steps: [
      { part: 'check', passed: true },
      { part: 'read_back', passed: false, policies: [] },
    ],
  })
  const [sequence] = await meta.sql(`select last_value::int as n from "Odd ""t""_serial_seq"`)
  expect(sequence).toEqual({ n: 8 })
})

test('why no policy is asked, and what a role may not do at all', async () => {
  await meta.sql(`create policy anyone on wide using (true)`)
  const anon = { as: { role: 'anon', claims: {} } }
  expect(await tested(odd, { command: 'SELECT', as: { role: 'service_role' } })).toMatchObject({
    inactive: 'bypass',
  })
  expect(await tested('wide', { command: 'SELECT', ...anon })).toMatchObject({
    missing: ['select on column a', 'select on column b'],
    rows: [{ outcome: 'refused' }],
  })
  expect(await tested('wide', { command: 'UPDATE', values: { a: '2' }, ...anon })).toMatchObject({
    missing: [],
    rows: [{ before: ['1', '1', '1'], after: ['1', '2', '1'], outcome: 'allowed' }],
  })
  expect(await tested('wide', { command: 'UPDATE', values: { b: '2' }, ...anon })).toMatchObject({
    missing: ['update on column b'],
  })
  expect(await tested('wide', { command: 'DELETE', ...anon })).toMatchObject({
    missing: ['delete on table wide'],
  })
  expect(await tested('closed.inside', { command: 'SELECT', ...anon })).toMatchObject({
    missing: ['usage of schema closed'],
    rows: [],
  })
})

test('policies that write, climb, fail or take their time change nothing and stop nothing else', async () => {
  await meta.sql(`
    create function misbehave(what text) returns boolean language plpgsql as $$
    begin
      case what
        when 'climb' then perform set_config('role', 'postgres', false), set_config('request.jwt.claims', '{}', false);
        when 'write' then insert into plain values ('written');
        when 'sleep' then perform pg_sleep(60);
        else perform 1 / 0;
      end case;
      return true;
    end $$`)
  await withPolicies(
    `create policy a_climb on ${odd} for select using (misbehave('climb'))`,
    `create policy b_who on ${odd} for select using (current_user = 'authenticated' and auth.uid() = '${ada}')`,
    `create policy c_write on ${odd} for delete using (misbehave('write'))`,
    `create policy d_fail on ${odd} for update using (misbehave('fail'))`,
  )
  const seen = await tested(odd, { command: 'SELECT' })
  expect(seen.rows[0]?.steps[0]?.policies.map(({ passed }) => passed)).toEqual([true, true])
  const removed = await tested(odd, { command: 'DELETE' })
  expect(removed.policies.find(({ name }) => name === 'c_write')?.error).toMatch(
    /read-only transaction/,
  )
  expect(removed.rows[0]?.outcome).toBe('unknown')
  const updated = await tested(odd, { command: 'UPDATE', values: { 'te am': '1' } })
  expect(updated.policies.find(({ name }) => name === 'd_fail')?.error).toBe('division by zero')
  await withPolicies(`create policy slow on ${odd} for select using (misbehave('sleep'))`)
  const slow = await tested(odd, { command: 'SELECT' })
  expect(slow.policies[0]?.error).toBe('canceling statement due to statement timeout')
  expect(
    await meta.sql(
      `select (select count(*) from plain)::int as p, (select count(*) from ${odd})::int as o`,
    ),
  ).toEqual([{ p: 5, o: 8 }])
})

test('triggers do not fire, and are told about', async () => {
  await meta.sql(`
    create function loud() returns trigger language plpgsql as $$ begin raise exception 'fired'; end $$;
    create trigger set_owner before insert or update on ${odd} for each row execute function loud()`)
  await withPolicies(`create policy all_rows on ${odd} using (true)`)
  expect(await tested(odd, { command: 'UPDATE', values: { 'te am': '1' } })).toMatchObject({
    triggers: ['set_owner'],
    rows: [{ outcome: 'allowed' }, {}, {}, {}, {}, {}, {}, {}],
  })
  expect(await tested(odd, { command: 'DELETE' })).toMatchObject({ triggers: [] })
})

test('a row that is too large to travel is listed and left out', async () => {
  await meta.sql(`
    create table large (id int primary key, t text);
    insert into large select n, (select string_agg(md5(i::text), '') from generate_series(1, 60000 * (n % 2)) i) from generate_series(1, 2) n;
    alter table large enable row level security; create policy anyone on large using (true)`)
  const { rows } = await tested('large', { command: 'DELETE' })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['unknown', 'allowed'])
})
