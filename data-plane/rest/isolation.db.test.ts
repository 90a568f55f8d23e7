import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

const [ada, bob] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table notes (id int primary key, owner uuid not null default auth.uid(), text text);
    alter table notes enable row level security;
    create policy own on notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create policy public_read on notes for select to anon using (text = 'public');
    insert into notes values (1, '${ada}', 'a'), (2, '${bob}', 'b'), (3, '${bob}', 'public');
    create function run(sql text) returns text language plpgsql volatile as $$ declare answer text; begin
      execute sql into answer; return answer; end $$;
    create function act(sql text) returns void language plpgsql as 'begin execute sql; end';
    create function run_stable(sql text) returns text language plpgsql stable as $$ declare answer text; begin
      execute sql into answer; return answer; end $$;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const as = (sub: string) => ({ as: 'authenticated', claims: { sub } })
const idsOf = (json: unknown) => (json as { id: number }[]).map((row) => row.id)
const run = async (sql: string, options: Parameters<Ask>[1] = {}) =>
  ask('POST /rpc/run', { ...options, body: { sql } })

describe('row level security', () => {
  test('each sees what its policies allow', async () => {
    const see = async (options: Parameters<Ask>[1]) =>
      idsOf((await ask('GET /notes?select=id&order=id', options)).json)
    expect(await see({})).toEqual([3])
    expect(await see(as(ada))).toEqual([1])
    expect(await see(as(bob))).toEqual([2, 3])
    expect(await see({ as: 'service_role' })).toEqual([1, 2, 3])
  })

  test('counts do not betray hidden rows', async () => {
    const reply = await ask('GET /notes?select=id', {
      ...as(ada),
      headers: { prefer: 'count=exact' },
    })
    expect(reply.headers.get('content-range')).toBe('0-0/1')
  })

  test('writes of rows of others match none or are refused', async () => {
    const patch = await ask('PATCH /notes?id=eq.2', {
      ...as(ada),
      body: { text: 'hacked' },
      headers: { prefer: 'return=representation' },
    })
    expect(patch).toMatchObject({ status: 200, json: [] })
    expect(await ask('DELETE /notes?id=eq.2', as(ada))).toMatchObject({ status: 204 })
    const insert = await ask('POST /notes', { ...as(ada), body: { id: 9, owner: bob } })
    expect(insert).toMatchObject({ status: 403, json: { code: '42501' } })
    expect(await ask('POST /notes', { body: { id: 9, owner: bob } })).toMatchObject({ status: 401 })
    expect(await plane.sql('select text from notes where id = 2')).toEqual([{ text: 'b' }])
  })

  test('a hundred requests of three users at once never mix', async () => {
    const users = [{}, as(ada), as(bob)]
    const expected = [[3], [1], [2, 3]]
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const reply = await ask('GET /notes?select=id&order=id', users[i % 3])
        expect(idsOf(reply.json)).toEqual(expected[i % 3])
      }),
    )
  })
})

describe('arbitrary SQL inside a request does not climb', () => {
  test.each([
    "select set_config('role', 'service_role', false)",
    "select set_config('role', 'service_role', true)",
    "select set_config('role', 'authenticated', true)",
    "select set_config('role', 'authenticator', true)",
    "select set_config('session_authorization', 'postgres', true)",
    'set role postgres',
    'set session authorization supabase_admin',
    'set local role service_role',
    "copy (select 1) to program 'id'",
    "select pg_read_file('/etc/passwd')",
    'alter table public.notes disable row level security',
    'create extension if not exists dblink',
  ])('%s', async (sql) => {
    const reply = await run(sql)
    expect([400, 401, 500]).toContain(reply.status)
    expect((await run('select current_user')).json).toBe('anon')
  })

  test('leaving the role leads to a login that may nothing', async () => {
    const reply = await run("select set_config('role', 'none', true); select * from public.notes")
    expect(reply.status).toBe(401)
    await run("select set_config('role', 'none', false)")
    expect((await run('select current_user')).json).toBe('anon')
    expect(idsOf((await ask('GET /notes?select=id')).json)).toEqual([3])
  })

  test('claims made up inside a request end with it', async () => {
    const claims = JSON.stringify({ sub: bob, role: 'authenticated' })
    await run(`select set_config('request.jwt.claims', '${claims}', false)`, as(ada))
    expect(idsOf((await ask('GET /notes?select=id', as(ada))).json)).toEqual([1])
  })
})

/** More requests than the pool has connections, so that each of them is met. */
const everyConnection = <T>(request: () => Promise<T>) =>
  Promise.all(Array.from({ length: 30 }, request))

describe('nothing stays in a session for its next user', () => {
  test('settings, also those that a read made', async () => {
    const leave = "select set_config('app.tenant', 'mine', false)"
    await everyConnection(() => run(leave))
    const path = `/rpc/run_stable?sql=${encodeURIComponent(leave)}`
    await everyConnection(() => ask(`GET ${path}`))
    const seen = await everyConnection(() =>
      run("select coalesce(current_setting('app.tenant', true), '')"),
    )
    expect(new Set(seen.map((reply) => reply.json))).toEqual(new Set(['']))
  })

  test('a search path that leads names astray', async () => {
    await everyConnection(() => run("select set_config('search_path', 'pg_temp', false)"))
    const seen = await everyConnection(() => run("select current_setting('search_path')"))
    expect(new Set(seen.map((reply) => reply.json))).toEqual(
      new Set(['"public", "public", "extensions"']),
    )
  })

  test('temporary tables and advisory locks', async () => {
    const sql = 'create temp table if not exists notes (id int, secret text)'
    const made = await everyConnection(() => ask('POST /rpc/act', { body: { sql } }))
    expect(new Set(made.map((reply) => reply.status))).toEqual(new Set([204]))
    const seen = await everyConnection(() => run("select to_regclass('pg_temp.notes')::text"))
    expect(new Set(seen.map((reply) => reply.json))).toEqual(new Set([null]))
    expect((await run('select pg_advisory_lock(7)')).status).toBe(200)
    const free = async () =>
      (await plane.sql('select pg_try_advisory_lock(7) as free'))[0]?.['free']
    await expect.poll(free).toBe(true)
  })

  test('prepared statements that were thrown away are made again', async () => {
    for (const sql of ['deallocate all', 'prepare plinth_1 as select 1']) {
      await everyConnection(() => ask('GET /notes?select=id'))
      const acted = await everyConnection(() => ask('POST /rpc/act', { body: { sql } }))
      expect(acted.map((reply) => reply.status)).toContain(204)
      const replies = await everyConnection(() => ask('GET /notes?select=id'))
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    }
  })
})

describe('every name and value is only ever a name and a value', () => {
  const attacks = [
    `'; drop table notes; --`,
    `"; drop table notes; --`,
    `1) or true --`,
    `x" or "1"="1`,
    `$1`,
    `\\'; select pg_sleep(5); --`,
    `public".notes; delete from notes; --`,
    `*/ select 1 /*`,
  ]

  test.each(attacks)('%s', async (attack) => {
    const a = encodeURIComponent(attack)
    const q = encodeURIComponent(`"${attack.replaceAll(/["\\]/g, '\\$&')}"`)
    const key = { [attack]: attack }
    const requests: [string, (object | undefined)?, Record<string, string>?][] = [
      [`GET /${a}`],
      [`GET /notes?${q}=eq.1`],
      [`GET /notes?text=eq.${a}`],
      [`GET /notes?text=in.(${q})`],
      [`GET /notes?text=fts(${a}).x`],
      [`GET /notes?select=${q}`],
      [`GET /notes?select=x:${q}`],
      [`GET /notes?select=${q}:id`],
      [`GET /notes?select=id::${a}`],
      [`GET /notes?select=text->${q}`],
      [`GET /notes?order=${q}`],
      [`GET /notes?limit=${a}`],
      [`GET /notes?or=(${q}.eq.${q})`],
      [`GET /rpc/${a}?${q}=1`],
      [`GET /rpc/run_stable?${a}=1`],
      ['POST /notes', key],
      [`POST /notes?columns=${q}`, key],
      [`POST /notes?on_conflict=${q}`, { id: 1 }, { prefer: 'resolution=merge-duplicates' }],
      [`PATCH /notes?${q}=eq.1`, { text: attack }],
      [`DELETE /notes?text=eq.${a}`],
      [`POST /rpc/${a}`, key],
      ['GET /notes', undefined, { 'accept-profile': a }],
      ['GET /notes', undefined, { prefer: `timezone=${a}` }],
      ['GET /notes', undefined, { cookie: `a=${a}`, 'x-odd': a, range: a }],
    ]
    for (const [request, body, headers = {}] of requests) {
      const reply = await ask(request, { ...as(ada), headers, ...(body ? { body } : {}) })
      expect(reply.status, request).toBeLessThan(500)
    }
    expect(await plane.sql('select count(*)::int as n from notes')).toEqual([{ n: 3 }])
  })

  test('they can be stored and found like any other text', async () => {
    for (const [i, attack] of attacks.entries()) {
      const body = { id: 100 + i, text: attack }
      expect((await ask('POST /notes', { ...as(ada), body })).status).toBe(201)
      const found = await ask(`GET /notes?text=eq.${encodeURIComponent(attack)}&select=id`, as(ada))
      expect(idsOf(found.json)).toEqual([100 + i])
    }
    await plane.sql('delete from notes where id >= 100')
  })
})
