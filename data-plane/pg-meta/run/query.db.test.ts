import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const query = (text: string, more: object = {}, path = 'query') =>
  meta.call('POST', path, { query: text, ...more })

test.each<[string, object, object]>([
  ['no query', {}, { code: 'invalid_input' }],
  ['an empty query', { query: '  ' }, { code: 'invalid_input' }],
  ['a NUL in a value', { query: 'select $1', parameters: ['a\0'] }, { code: 'invalid_input' }],
  [
    'a timeout that is none',
    { query: 'select 1', statementTimeoutSecs: 'soon' },
    { code: 'invalid_input' },
  ],
  [
    'two statements with values',
    { query: 'select $1; select 2', parameters: ['a'] },
    { code: '42601' },
  ],
])('%s is refused', async (_, body, refusal) => {
  expect(await meta.call('POST', 'query', body)).toMatchObject({ status: 400, body: refusal })
})

test('the last statement answers, in JSON that loses nothing', async () => {
  const sql = `select 1 as first; select 42::int8 as big, 9007199254740993 as bigger, 1.10::numeric as n, 'NaN'::float8 as nan,
    1.5::float4 as f, true as b, null as nothing, '{"a": [1]}'::jsonb as j, array['x', null] as l,
    array[1, 9007199254740993]::int8[] as l8, '{1.10,NaN}'::numeric[] as ln, '{2026-01-01,null}'::date[] as ld,
    '{{1,2},{3,4}}'::int[] as ll, '{1.5,NaN}'::float8[] as lf, array['{"a":1}'::jsonb] as lj, '2026-01-01 10:00'::timestamp as t, '\\x0102'::bytea as x`
  expect(await query(sql)).toEqual({
    status: 200,
    body: [
      {
        big: 42,
        bigger: '9007199254740993',
        n: '1.10',
        nan: 'NaN',
        f: 1.5,
        b: true,
        nothing: null,
        j: { a: [1] },
        l: ['x', null],
        l8: [1, '9007199254740993'],
        ln: ['1.10', 'NaN'],
        ld: ['2026-01-01', null],
        ll: [
          [1, 2],
          [3, 4],
        ],
        lf: [1.5, 'NaN'],
        lj: [{ a: 1 }],
        t: '2026-01-01 10:00:00',
        x: '\\x0102',
      },
    ],
  })
  expect(await query('select 1 as a; create table q ()')).toEqual({ status: 200, body: [] })
  expect(
    await query('select $1::int + 1 as n, $2 as t', { parameters: ['41', "'; drop table q; --"] }),
  ).toMatchObject({
    body: [{ n: 42, t: "'; drop table q; --" }],
  })
})

test('a failure tells its place', async () => {
  const { status, body } = await query('select 1;\nselect * from missing')
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: '42P01',
    position: 25,
    line: expect.stringMatching(/^\d+$/),
    column: 15,
    requestId: expect.any(String),
    error: expect.stringContaining('LINE 2: select * from missing'),
    message: 'relation "missing" does not exist',
    formattedError:
      'ERROR:  42P01: relation "missing" does not exist\nLINE 2: select * from missing\n                      ^\n',
  })
})

test('an inner query is told too', async () => {
  await query(
    'create function broken() returns void language plpgsql as $$ begin perform no_such_function(); end $$',
  )
  expect((await query('select broken()')).body).toMatchObject({
    code: '42883',
    internalQuery: 'SELECT no_such_function()',
  })
})

test('a session is used again, as the same role', async () => {
  const ask = () => query('select pg_backend_pid() as pid, current_user as me')
  const first = await ask()
  expect(first.body).toMatchObject([{ me: 'postgres' }])
  expect(await ask()).toEqual(first)
})

test('sessions come back clean', async () => {
  for (const left of [
    'begin; set local a.b = 1',
    'set role anon',
    "set a.c = 'x'; create temp table tt ()",
    'begin; select 1/0',
  ])
    await query(left)
  for (let i = 0; i < 8; i += 1) {
    const { body } = await query(
      "select current_user as me, nullif(current_setting('a.c', true), '') as c, to_regclass('pg_temp.tt') as t, pg_current_xact_id_if_assigned() as x",
    )
    expect(body).toEqual([{ me: 'postgres', c: null, t: null, x: null }])
  }
})

test('time is limited, by the statement and by the caller', async () => {
  expect(
    await query('select pg_sleep(20)', {}, `/abcdefghijklmnopqrst/query?statementTimeoutSecs=1`),
  ).toMatchObject({ status: 400, body: { code: '57014' } })
  expect(await query('select pg_sleep(20)', { queryTimeoutSecs: 1 })).toMatchObject({
    status: 408,
    body: { code: 'query_timeout', message: 'Query read timeout' },
  })
  // Nought is no limit.
  const unlimited = { queryTimeoutSecs: 0, statementTimeoutSecs: 0 }
  const shown = "select current_setting('statement_timeout') as at from pg_sleep(0.1)"
  expect(await query(shown, unlimited)).toMatchObject({ status: 200, body: [{ at: '1h' }] })
})

test('a result over the cap is refused', async () => {
  expect(await query("select repeat('x', 1000) from generate_series(1, 21000)")).toMatchObject({
    status: 400,
    body: { code: 'RESULT_SIZE_EXCEEDED', message: 'The result is larger than 20 MB' },
  })
})

test('the application name is told to Postgres', async () => {
  expect((await query("select current_setting('application_name') as name")).body).toEqual([
    { name: 'tests' },
  ])
})

test('a server that is not there is 503', async () => {
  const { pgMetaRoutes } = await import('../pg-meta.ts')
  const { createImportSpool } = await import('../rows/import/row-import-spool.ts')
  const { fastify } = await import('fastify')
  const { silentLog } = await import('#kit/log')
  const app = fastify()
  pgMetaRoutes(app, {
    connectionOf: () => Promise.resolve({ host: '/nowhere', user: 'postgres' }),
    imports: { spool: createImportSpool('/nowhere'), secret: 'none' },
    nextTick: () => undefined,
    log: silentLog,
  })
  for (const [url, payload] of [
    ['query', { query: 'select 1' }],
    ['query/run', { query: 'select 1', id: crypto.randomUUID() }],
  ] as const) {
    const answer = await app.inject({
      method: 'POST',
      url: `/abcdefghijklmnopqrst/${url}`,
      headers: { 'x-plinth-login': 'postgres' },
      payload,
    })
    expect(answer.statusCode).toBe(503)
  }
  await app.close()
})
