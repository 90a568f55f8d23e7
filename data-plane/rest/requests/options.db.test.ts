import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../../testing/data-plane.ts'
import { restClient, type Ask } from '../../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table sales (id int primary key, shop text, amount int);
    insert into sales values (1, 'a', 5), (2, 'a', 7), (3, 'b', 1);
    create function check_request() returns void language plpgsql as $$ begin
      if current_setting('request.headers')::json->>'x-forbidden' is not null then
        raise sqlstate 'PT403' using message = 'not today'; end if;
      perform set_config('response.headers', '[{"X-Checked":"yes"}]', true); end $$;
    create function all_sales() returns setof sales language sql stable as 'select * from public.sales';
    create function become_other() returns void language sql as $$ select set_config('role', 'anon', true) $$;
    create function who() returns text language sql volatile return current_user;
    create table hidden (id int);
    revoke all on hidden from anon;
    create function careful() returns text language sql volatile
      set default_transaction_isolation = 'serializable' as $$ select current_setting('transaction_isolation') $$;
    create function careless() returns text language sql volatile as $$ select current_setting('transaction_isolation') $$;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())
afterEach(() => set())

/** What the database itself says about its data API, as settings of the login `authenticator` in this database. */
async function set(options: Record<string, string> = {}): Promise<void> {
  const target = `alter role authenticator in database ${plane.database.name}`
  await withClient(plane.database.adminConfig, async (client) => {
    await client.query([target, 'reset all'].join(' '))
    for (const [name, value] of Object.entries(options)) {
      await client.query([target, `set pgrst.${name} = '${value}'`].join(' '))
    }
    await client.query('notify pgrst')
  })
  // A request for something unknown waits until the notice is heard.
  await ask('GET /unknown_on_purpose')
}

test('fewer rows than the project allows, of tables and functions', async () => {
  await set({ db_max_rows: '2' })
  expect((await ask('GET /sales')).json).toHaveLength(2)
  expect((await ask('GET /sales?limit=9')).json).toHaveLength(2)
  expect((await ask('GET /rpc/all_sales')).json).toHaveLength(2)
  expect((await ask('POST /rpc/all_sales', { body: {} })).json).toHaveLength(2)
})

test('aggregates, with the plain columns as groups', async () => {
  const total = 'GET /sales?select=amount.sum()'
  expect(await ask(total)).toMatchObject({ status: 400, json: { code: 'PGRST123' } })
  await set({ db_aggregates_enabled: 'true' })
  expect((await ask(total)).json).toEqual([{ sum: 13 }])
  const grouped = await ask('GET /sales?select=shop,n:count(),amount.sum()::text&order=shop')
  expect(grouped.json).toEqual([
    { shop: 'a', n: 2, sum: '12' },
    { shop: 'b', n: 1, sum: '1' },
  ])
})

test('changes that are undone in the end, so that a client can try them', async () => {
  const remove = () =>
    ask('DELETE /sales?id=eq.1', { headers: { prefer: 'tx=rollback, return=representation' } })
  await set({ db_tx_end: 'commit-allow-override' })
  expect((await remove()).json).toHaveLength(1)
  expect((await ask('GET /sales?id=eq.1')).json).toHaveLength(1)
  await set({ db_tx_end: 'rollback-allow-override' })
  await ask('DELETE /sales?id=eq.1')
  expect((await ask('GET /sales?id=eq.1')).json).toHaveLength(1)
  const kept = await ask('POST /sales', { body: { id: 8 }, headers: { prefer: 'tx=commit' } })
  expect(kept.headers.get('preference-applied')).toBe('tx=commit')
  expect((await ask('GET /sales?id=eq.8')).json).toHaveLength(1)
  const prefer =
    'max-affected=1, timezone=UTC, handling=strict, tx=commit, count=exact, return=minimal, missing=default'
  const removed = await ask('PATCH /sales?id=eq.8', { body: { shop: 'c' }, headers: { prefer } })
  expect(removed.headers.get('preference-applied')).toBe(
    'missing=default, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=1',
  )
  await ask('DELETE /sales?id=eq.8', { headers: { prefer: 'tx=commit' } })
  await set({ db_tx_end: 'rollback' })
  await ask('DELETE /sales?id=eq.1', { headers: { prefer: 'tx=commit' } })
  expect((await ask('GET /sales?id=eq.1')).json).toHaveLength(1)
})

test('a function that looks at every request first', async () => {
  await set({ db_pre_request: 'public.check_request' })
  const reply = await ask('GET /sales?id=eq.1')
  expect(reply).toMatchObject({ status: 200 })
  expect(reply.headers.get('x-checked')).toBe('yes')
  const refused = await ask('POST /sales', { body: { id: 9 }, headers: { 'x-forbidden': '1' } })
  expect(refused).toMatchObject({ status: 403, json: { message: 'not today' } })
  expect((await ask('GET /sales?id=eq.9')).json).toEqual([])
  // A table that runs nothing but the server's own code: what the function sets for the answer counts there, too.
  for (const [request, body, status] of [
    ['POST /sales', { id: 10 }, 201],
    ['DELETE /sales?id=eq.10', undefined, 204],
  ] as const) {
    const changed = await ask(request, { body })
    expect(changed.status).toBe(status)
    expect(changed.headers.get('x-checked')).toBe('yes')
  }
})

test('a change that nobody counts says that it was made, one that is counted how often', async () => {
  const range = async (request: string, body?: unknown, prefer = 'return=minimal') => {
    const reply = await ask(request, { body, headers: { prefer } })
    return [reply.status, reply.headers.get('content-range'), reply.text]
  }
  const two = [{ id: 20 }, { id: 21 }]
  expect(await range('POST /sales', two)).toEqual([201, '*/*', ''])
  expect(await range('DELETE /sales?id=gte.20')).toEqual([204, '*/*', ''])
  expect(await range('POST /sales', two, 'count=exact')).toEqual([201, '*/2', ''])
  expect(await range('DELETE /sales?id=gte.20', undefined, 'count=exact')).toEqual([204, '*/2', ''])
})

test('a database that cannot be reached is 503 and comes back by itself', async () => {
  const { database } = plane.project
  for (const change of [{ host: '/nonexistent' }, { servicePassword: 'wrong' }, { name: 'none' }]) {
    plane.directory.put({ ...plane.project, database: { ...database, ...change } })
    const reply = await ask('GET /sales')
    expect(reply).toMatchObject({ status: 503, json: { code: 'PGRST001' } })
    expect(reply.headers.get('retry-after')).toBe('1')
  }
  plane.directory.put(plane.project)
  expect((await ask('GET /sales')).status).toBe(200)
})

test('how Postgres would answer is shown where the project allows it', async () => {
  const accept = (type: string) => ({ headers: { accept: type } })
  const json = 'application/vnd.pgrst.plan+json'
  expect(await ask('GET /sales', accept(json))).toMatchObject({
    status: 406,
    json: { code: 'PGRST107', message: `None of these media types are available: ${json}` },
  })
  await set({ db_plan_enabled: 'true' })
  const plan = await ask('GET /sales?shop=eq.a', accept(json))
  expect(plan.headers.get('content-type')).toBe(
    'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8',
  )
  expect(plan.json).toMatchObject([{ Plan: { 'Node Type': 'Aggregate' } }])
  const asked = `application/vnd.pgrst.plan; for="text/csv"; options=analyze|nonsense|buffers`
  const text = await ask('GET /sales?shop=eq.a', accept(asked))
  expect(text.headers.get('content-type')).toBe(
    'application/vnd.pgrst.plan+text; for="text/csv"; options=analyze|buffers; charset=utf-8',
  )
  expect(text.text).toMatch(/Seq Scan on sales.*actual time/)
  const every = `application/vnd.pgrst.plan+json; options=analyze|verbose|settings|buffers|wal`
  expect(await ask('DELETE /sales?id=eq.0', accept(every))).toMatchObject({
    status: 200,
    json: [{ Plan: { Output: expect.anything() }, Settings: expect.anything() }],
  })
})

test('a plan of a change changes nothing, one that is measured does what it measures, and anon sees no more by it', async () => {
  await set({ db_plan_enabled: 'true' })
  const accept = (options: string) => ({
    headers: { accept: `application/vnd.pgrst.plan+text${options}` },
  })
  const shops = async () => (await ask('GET /sales?select=id&order=id')).json
  const before = await shops()
  expect((await ask('DELETE /sales?id=eq.3', accept(''))).text).toMatch(/Delete on sales/)
  expect(await shops()).toEqual(before)
  expect((await ask('DELETE /sales?id=eq.3', accept('; options=analyze'))).status).toBe(200)
  expect(await shops()).not.toEqual(before)
  expect((await ask('GET /rpc/nothing', accept(''))).status).toBe(404)
  expect((await ask('GET /sales?nothing=eq.1', accept(''))).status).toBe(400)
})

test('the function that looks first cannot leave the role of the request', async () => {
  const who = () => ask('POST /rpc/who', { as: 'authenticated' })
  expect((await who()).json).toBe('authenticated')
  await set({ db_pre_request: 'become_other' })
  expect(await who()).toMatchObject({ status: 403, json: { code: '42501' } })
})

test('the description at the root: of all, or not at all', async () => {
  expect((await ask('GET /')).json).not.toHaveProperty(['paths', '/hidden'])
  await set({ openapi_mode: 'ignore-privileges' })
  expect((await ask('GET /')).json).toHaveProperty(['paths', '/hidden'])
  await set({ openapi_mode: 'disabled' })
  expect(await ask('GET /')).toMatchObject({
    status: 404,
    json: { code: 'PGRST126', message: 'Root endpoint metadata is disabled' },
  })
})

test('the description tells of its address and of tokens, where the project asks for it', async () => {
  expect((await ask('GET /')).json).not.toHaveProperty('security')
  await set({ openapi_security_active: 'true', openapi_server_proxy_uri: 'http://127.0.0.1:81' })
  expect((await ask('GET /')).json).toMatchObject({
    host: '127.0.0.1:81',
    basePath: '/',
    security: [{ JWT: [] }],
    securityDefinitions: { JWT: { type: 'apiKey', name: 'Authorization' } },
  })
})

test.each([[5], [{}], [true], [['shop', 5]]])(
  'a token whose audience is %j is none, whatever the project names',
  async (aud) => {
    expect(await ask('GET /sales', { as: 'authenticated', claims: { aud } })).toMatchObject({
      status: 401,
      json: { code: 'PGRST303' },
    })
  },
)

test('tokens for another audience are refused, by the data API and GraphQL, where the project names its own', async () => {
  const asking = (aud: string) => ask('GET /sales', { as: 'authenticated', claims: { aud } })
  const graphql = async (aud: string) => {
    const token = plane.token({ role: 'authenticated', aud })
    const headers = {
      apikey: plane.project.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ query: '{ __typename }' })
    return (await fetch(`${plane.url}/graphql/v1`, { method: 'POST', headers, body })).status
  }
  expect((await asking('elsewhere')).status).toBe(200)
  await set({ jwt_aud: 'shop' })
  expect(await asking('elsewhere')).toMatchObject({
    status: 401,
    json: { code: 'PGRST303', message: 'JWT not in audience' },
  })
  expect((await asking('shop')).status).toBe(200)
  expect((await ask('GET /sales')).status).toBe(200)
  expect([await graphql('elsewhere'), await graphql('shop')]).toEqual([401, 200])
})

test('how long the parts of a request took, where the project allows it', async () => {
  expect((await ask('GET /sales')).headers.get('server-timing')).toBeNull()
  await set({ server_timing_enabled: 'true' })
  for (const request of ['GET /sales', 'POST /rpc/who', 'GET /']) {
    expect((await ask(request)).headers.get('server-timing')).toMatch(
      /^jwt;dur=[\d.]+, parse;dur=[\d.]+, plan;dur=[\d.]+, transaction;dur=[\d.]+, response;dur=[\d.]+$/,
    )
  }
})

test('a function says how well its transaction is kept apart from others', async () => {
  expect((await ask('POST /rpc/careful')).json).toBe('serializable')
  expect((await ask('POST /rpc/careless')).json).toBe('read committed')
})
