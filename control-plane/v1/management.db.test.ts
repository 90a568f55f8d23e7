import { withClient } from '#kit/postgres/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../testing/world.ts'

let world: World
let v1: string

beforeAll(async () => {
  world = await startWorld()
  v1 = `/v1/projects/${world.ref}`
})
afterAll(() => world.end())

type Method = Parameters<typeof world.ada.call>[0]
type Who = 'stranger' | 'Developer' | 'Read-only' | 'Administrator'
const by = (who: Who) => (who === 'stranger' ? world.stranger : world.as(who))
const list = (body: Record<string, unknown>) => Object.values(body) as Record<string, unknown>[]

test.each([
  ['PATCH', '', { name: 'Other' }],
  ['POST', '/pause', undefined],
  ['POST', '/restore', undefined],
  ['POST', '/restore/cancel', undefined],
  ['PUT', '/config/database/postgres', { work_mem: '8MB' }],
  ['PUT', '/ssl-enforcement', { requestedConfig: { database: false } }],
  ['POST', '/config/auth/sso/providers', { type: 'saml' }],
  ['POST', '/secrets', [{ name: 'A', value: '1' }]],
  ['DELETE', '/secrets', ['A']],
] as const)('%s %s is for owners and administrators', async (method, path, body) => {
  for (const [who, status] of [
    ['stranger', 404],
    ['Developer', 403],
    ['Read-only', 403],
  ] as const)
    expect((await by(who).call(method, v1 + path, body)).status).toBe(status)
})

test.each([
  ['PUT', '/config/database/postgres', { shared_buffers: '1GB' }, 'shared_buffers: cannot be set'],
  ['PUT', '/config/database/postgres', { work_mem: "1'; drop" }, 'work_mem'],
  ['PUT', '/ssl-enforcement', { requestedConfig: { database: true } }, 'do not support SSL'],
  ['POST', '/secrets', [{ name: 'SUPABASE_X', value: '1' }], 'SUPABASE_'],
  ['POST', '/secrets', [{ name: 'a b', value: '1' }], 'letters'],
  ['POST', '/secrets', [], 'secrets'],
  ['POST', '/config/auth/sso/providers', { type: 'saml', metadata_xml: '<no>' }, ''],
  ['PATCH', '', { name: 'x' }, 'name'],
] as const)('%s %s refuses %j', async (method, path, body, words) => {
  const refused = await world.ada.call(method, v1 + path, body)
  expect(refused.status).toBe(400)
  expect(refused.body['message']).toContain(words)
})

test('secrets go in sealed and come out as digests', async () => {
  const set = (secrets: object) => world.ada.call('POST', `${v1}/secrets`, secrets)
  const read = async () => list((await world.as('Read-only').call('GET', `${v1}/secrets`)).body)
  expect((await world.stranger.call('GET', `${v1}/secrets`)).status).toBe(404)
  expect(
    (
      await set([
        { name: 'A', value: 'first' },
        { name: 'B', value: 'first' },
      ])
    ).status,
  ).toBe(201)
  const before = await read()
  expect(before.map(({ name }) => name)).toEqual(['A', 'B'])
  expect(new Set(before.map(({ value }) => value)).size).toBe(2)
  await set([
    { name: 'A', value: 'first' },
    { name: 'B', value: 'lost' },
    { name: 'B', value: 'second' },
  ])
  const after = await read()
  expect(after[0]?.['value']).toBe(before[0]?.['value'])
  expect(after[1]?.['value']).not.toBe(before[1]?.['value'])
  const stored = await world.control.db.selectFrom('platform.project_secrets').selectAll().execute()
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .execute()
  expect(JSON.stringify([stored, entries])).not.toMatch(/first|second|lost/)
  const many = Array.from({ length: 99 }, (_, index) => ({ name: `N${index}`, value: 'x' }))
  expect((await set(many)).status).toBe(400)
  expect(await read()).toEqual(after)
  expect((await world.ada.call('DELETE', `${v1}/secrets`, ['A', 'nothing'])).status).toBe(200)
  expect((await read()).map(({ name }) => name)).toEqual(['B'])
})

test('parameters of the database hold for sessions that begin after them', async () => {
  const path = `${v1}/config/database/postgres`
  expect((await world.as('Read-only').call('GET', path)).body).toEqual({})
  const requested = { work_mem: '8MB', max_parallel_workers: 3, statement_timeout: '55s' }
  expect(await world.ada.call('PUT', path, requested)).toMatchObject({
    status: 200,
    body: requested,
  })
  const sql =
    "select setting from pg_db_role_setting, unnest(setconfig) setting where setting like 'work_mem%'"
  expect(await world.sql(sql)).toEqual([{ setting: 'work_mem=8MB' }])
  // What is left out is taken back, as programs expect that take one away.
  const rest = { work_mem: '9MB', restart_database: true }
  expect((await world.ada.call('PUT', path, rest)).body).toEqual({ work_mem: '9MB' })
  expect(await world.ada.call('PUT', path, {})).toMatchObject({ status: 200, body: {} })
  expect((await world.ada.call('GET', path)).body).toEqual({})
  expect(await world.sql(sql)).toEqual([])
})

test('a program hears whose token it has', async () => {
  expect((await world.control.app.inject('/v1/profile')).statusCode).toBe(401)
  expect((await world.ada.call('GET', '/v1/profile')).body).toEqual({
    gotrue_id: world.ada.userId,
    primary_email: world.ada.email,
    username: expect.any(String),
  })
})

test('what the installation has is said as it is', async () => {
  const get = async (path: string) => (await world.as('Read-only').call('GET', v1 + path)).body
  const connection_string = `postgresql://postgres.${world.ref}:[YOUR-PASSWORD]@localhost:6543/postgres`
  expect(await get('/config/database/pooler')).toMatchObject([
    {
      identifier: world.ref,
      db_port: 6543,
      connection_string,
      // Public command line clients read nothing of an answer without it.
      connectionString: connection_string,
      default_pool_size: 15,
    },
  ])
  expect(await get('/config/database/pgbouncer')).toEqual({
    pool_mode: 'transaction',
    default_pool_size: 15,
    max_client_conn: 200,
    connection_string,
  })
  expect(await get('/ssl-enforcement')).toMatchObject({ currentConfig: { database: false } })
  expect(await get('/upgrade/eligibility')).toMatchObject({ eligible: false })
  expect(await get('/upgrade/status')).toEqual({ databaseUpgradeStatus: null })
  expect(await get('/readonly')).toMatchObject({ enabled: false })
  expect(await get('/database/backups')).toMatchObject({ backups: [], pitr_enabled: false })
  expect(await get('/database/context')).toMatchObject({
    databases: [{ name: 'postgres', schemas: expect.arrayContaining([{ name: 'public' }]) }],
  })
})

test('people connect to the database from the networks that are allowed; its services go on', async () => {
  const path = `${v1}/network-restrictions`
  const apply = (body: object, who = world.ada) => who.call('POST', `${path}/apply`, body)
  const all = { dbAllowedCidrs: ['0.0.0.0/0'], dbAllowedCidrsV6: ['::/0'] }
  expect((await apply(all, world.stranger)).status).toBe(404)
  expect((await apply(all, world.as('Read-only'))).status).toBe(403)
  for (const dbAllowedCidrs of [
    undefined,
    'all',
    ['10.0.0.1'],
    ['10.0.0.0/33'],
    ['::/0'],
    ['10.0.0.0/8 trust'],
    ['0.0.0.0/0\nhost all all all trust'],
    Array.from({ length: 101 }, (_, index) => `10.0.0.${index}/32`),
  ])
    expect((await apply({ dbAllowedCidrs })).status).toBe(400)
  const read = () => world.as('Read-only').call('GET', path)
  const unrestricted = { entitlement: 'allowed', config: all, status: 'applied' }
  expect((await read()).body).toEqual(unrestricted)

  const { body } = await world.ada.call('GET', `/platform/projects/${world.ref}`)
  const enter = () =>
    withClient(
      {
        host: '127.0.0.1',
        port: Number(body['db_port']),
        user: 'postgres',
        password: 'not this one',
        database: 'postgres',
      },
      () => Promise.resolve('in'),
    ).catch((error: unknown) => String(error))
  expect(await enter()).toContain('password authentication failed')
  const office = { dbAllowedCidrs: ['203.0.113.0/24'], dbAllowedCidrsV6: ['2001:db8::/32'] }
  expect((await apply(office)).body).toMatchObject({ config: office, status: 'applied' })
  expect(await enter()).toContain('connections from 127.0.0.1 are not allowed')
  expect((await read()).body).toMatchObject({ config: office, status: 'applied' })
  expect(await world.sql('select 1 as one')).toEqual([{ one: 1 }])
  expect((await apply({ dbAllowedCidrs: ['127.0.0.0/8'] })).body).toMatchObject({
    config: { dbAllowedCidrs: ['127.0.0.0/8'], dbAllowedCidrsV6: [] },
  })
  expect(await enter()).toContain('password authentication failed')
  expect((await apply(all)).body).toEqual(unrestricted)
})

test('networks are added and taken away one by one', async () => {
  const v4 = (address: string) => ({ address, type: 'v4' })
  const path = `${v1}/network-restrictions`
  const change = (body: object, who = world.ada) => who.call('PATCH', path, body)
  const add = { dbAllowedCidrs: ['127.0.0.0/8'] }
  expect((await change({ add }, world.stranger)).status).toBe(404)
  expect((await change({ add }, world.as('Developer'))).status).toBe(403)
  expect((await change({ add: { dbAllowedCidrs: ['all'] } })).status).toBe(400)
  const everywhere = { dbAllowedCidrs: ['0.0.0.0/0'], dbAllowedCidrsV6: ['::/0'] }
  expect((await change({ add, remove: everywhere })).body).toMatchObject({
    config: { dbAllowedCidrs: [v4('127.0.0.0/8')] },
  })
  const office = { dbAllowedCidrs: ['203.0.113.0/24'] }
  expect((await change({ add: office })).body).toMatchObject({
    config: { dbAllowedCidrs: [v4('127.0.0.0/8'), v4('203.0.113.0/24')] },
  })
  const both = { dbAllowedCidrs: [...office.dbAllowedCidrs, ...add.dbAllowedCidrs] }
  expect((await change({ remove: both, add: everywhere })).body).toMatchObject({
    config: { dbAllowedCidrs: [v4('0.0.0.0/0'), { address: '::/0', type: 'v6' }] },
  })
  expect((await world.ada.call('GET', path)).body).toMatchObject({ config: everywhere })
})

test('types for other languages', async () => {
  for (const [language, words] of [
    ['go', 'package database'],
    ['swift', 'enum PublicSchema'],
    ['python', 'BaseModel'],
  ] as const) {
    const { status, body } = await world.as('Read-only').call('GET', `${v1}/types/${language}`)
    expect([language, status]).toEqual([language, 200])
    expect(String(body['types']).toLowerCase(), language).toContain(words.toLowerCase())
  }
  expect((await world.ada.call('GET', `${v1}/types/cobol`)).status).toBe(400)
})

test('what an installation does not have is an empty list, or refused by a code of its own', async () => {
  const ask = async (method: Method, path: string, body?: object) => {
    const answer = await world.ada.call(method, /^\/v[12]\//.test(path) ? path : v1 + path, body)
    return [answer.status, answer.body]
  }
  expect(await ask('POST', '/network-bans/retrieve')).toEqual([201, { banned_ipv4_addresses: [] }])
  expect(await ask('POST', '/network-bans/retrieve/enriched')).toEqual([
    201,
    { banned_ipv4_addresses: [] },
  ])
  expect(await ask('DELETE', '/network-bans', { ipv4_addresses: ['192.0.2.1'] })).toEqual([200, {}])
  expect((await ask('DELETE', '/network-bans', { ipv4_addresses: ['x'] }))[0]).toBe(400)
  expect(await ask('GET', '/vanity-subdomain')).toEqual([200, { status: 'not-used' }])
  for (const [method, path, body] of [
    ['PATCH', '/config/database/pooler', { default_pool_size: 5 }],
    ['GET', '/pgsodium', undefined],
    ['PUT', '/pgsodium', { root_key: 'a' }],
    ['PUT', `/v2/projects/${world.ref}/config`, {}],
  ] as const)
    expect(await ask(method, path, body), path).toMatchObject([
      400,
      { code: 'not_on_this_installation', message: expect.stringContaining('has no') },
    ])
})

test('what is not there is refused for members alone', async () => {
  expect((await world.stranger.call('GET', `${v1}/pgsodium`)).status).toBe(404)
  expect((await world.as('Read-only').call('PUT', `${v1}/pgsodium`, {})).status).toBe(403)
})

test('add-ons are those of the bill, for who may read bills', async () => {
  const path = `${v1}/billing/addons`
  expect((await world.stranger.call('GET', path)).status).toBe(404)
  const { status, body } = await world.ada.call('GET', path)
  expect(status).toBe(200)
  expect(body['selected_addons']).toEqual([
    {
      type: 'compute_instance',
      variant: {
        id: 'ci_micro',
        name: 'Micro',
        price: {
          description: '$0.01344/hour (~$10/month)',
          type: 'usage',
          interval: 'hourly',
          amount: 0.01344,
        },
      },
    },
  ])
  const pitr = (body['available_addons'] as { type: string }[]).find(({ type }) => type === 'pitr')
  expect(pitr).toMatchObject({
    name: 'Point in time recovery',
    variants: [{ id: 'pitr_7', price: { amount: 100 } }, { id: 'pitr_14' }, { id: 'pitr_28' }],
  })
})

test('what is read-only because of debts is not made writable by asking', async () => {
  const disable = (who = world.ada) => who.call('POST', `${v1}/readonly/temporary-disable`)
  expect((await disable(world.as('Read-only'))).status).toBe(403)
  expect(await disable()).toMatchObject({ status: 201, body: {} })
  const set = (restriction_status: string | null) =>
    world.control.db
      .updateTable('platform.organizations')
      .set({ restriction_status: restriction_status as 'restricted' | null })
      .execute()
  await set('restricted')
  expect(await disable()).toMatchObject({ body: { code: 'organization_restricted' } })
  expect((await world.ada.call('GET', `${v1}/readonly`)).body).toMatchObject({ enabled: true })
  await set(null)
})

test('identity providers are those of the project’s auth service', async () => {
  const path = `${v1}/config/auth/sso/providers`
  expect((await world.as('Read-only').call('GET', path)).body).toEqual({ items: [] })
  const unknown = `${path}/00000000-0000-4000-8000-000000000001`
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    expect((await world.ada.call(method, unknown, method === 'PUT' ? {} : undefined)).status).toBe(
      404,
    )
  }
})

test('they are reached whatever keys the project has', async () => {
  const legacy = (enabled: boolean) =>
    world.ada.call('PUT', `${v1}/api-keys/legacy?enabled=${enabled}`)
  expect((await legacy(false)).status).toBe(200)
  expect((await world.ada.call('GET', `${v1}/config/auth/sso/providers`)).body).toEqual({
    items: [],
  })
  expect((await legacy(true)).status).toBe(200)
})

test('migrations: recorded without being run, behind what is newest', async () => {
  const path = `${v1}/database/migrations`
  const record = () =>
    world.ada.call('PUT', path, { name: 'Elsewhere', query: 'create table never ()' })
  expect((await world.as('Read-only').call('PUT', path, { query: 'select 1' })).status).toBe(403)
  expect((await world.ada.call('PUT', path, { query: '-- nothing' })).status).toBe(400)
  const [first, second] = [await record(), await record()]
  expect([first.status, second.status]).toEqual([200, 200])
  const versions = list((await world.ada.call('GET', path)).body).map(({ version }) => version)
  expect(versions).toEqual([first.body['version'], second.body['version']])
  expect(await world.sql("select to_regclass('never') is null as gone")).toEqual([{ gone: true }])
})

test('saved SQL texts, of the projects that one may know of', async () => {
  const id = '6c4b1b0e-51c5-4b43-9a0b-7b8f8f1f0001'
  const content = { schema_version: '1.0', content_id: id, sql: 'select 42' }
  const saved = { id, name: 'Answer', type: 'sql', visibility: 'project', content }
  expect(
    (await world.ada.call('PUT', `/platform/projects/${world.ref}/content`, saved)).status,
  ).toBe(200)
  const path = `/v1/snippets?project_ref=${world.ref}`
  expect((await world.ada.call('GET', '/v1/snippets')).status).toBe(400)
  expect((await world.stranger.call('GET', path)).status).toBe(404)
  expect((await world.stranger.call('GET', `/v1/snippets/${id}`)).status).toBe(404)
  const found = await world.as('Read-only').call('GET', path)
  expect(found.body['data']).toMatchObject([
    { id, name: 'Answer', project: { id: expect.any(Number), name: 'Books' } },
  ])
  expect((await world.as('Read-only').call('GET', `/v1/snippets/${id}`)).body).toMatchObject({
    content: { sql: 'select 42' },
  })
})

test('an organization, and the document for programs', async () => {
  expect((await world.ada.call('POST', '/v1/organizations', {})).status).toBe(400)
  expect(await world.ada.call('POST', '/v1/organizations', { name: 'Second Hand' })).toMatchObject({
    status: 201,
    body: { id: 'second-hand', slug: 'second-hand' },
  })
  const answers = await Promise.all(
    ['/v1/openapi.json', '/api/v1-json'].map((url) => world.control.app.inject(url)),
  )
  const [document, alias] = answers.map((answer) => answer.json<{ paths: object }>())
  expect(alias).toEqual(document)
  const paths = Object.keys(document?.paths ?? {})
  const inProject = [
    'secrets',
    'api-keys',
    'config/auth/signing-keys',
    'config/auth/third-party-auth',
    'config/storage',
  ]
  expect(paths).toEqual(
    expect.arrayContaining(inProject.map((path) => `/v1/projects/{ref}/${path}`)),
  )
  expect(paths.every((path) => path.startsWith('/v1/') || path === '/api/v1-json')).toBe(true)
})

test('a project is renamed, paused and taken up again', async () => {
  expect((await world.ada.call('PATCH', v1, { name: 'Novels' })).body).toMatchObject({
    name: 'Novels',
  })
  const status = async () => (await world.ada.call('GET', v1)).body['status']
  expect((await world.ada.call('POST', `${v1}/restore`)).status).toBe(409)
  expect((await world.ada.call('POST', `${v1}/pause`)).status).toBe(200)
  await expect.poll(status).toBe('INACTIVE')
  expect((await world.ada.call('GET', `${v1}/restore`)).body['available_versions']).toHaveLength(1)
  expect((await world.ada.call('GET', `${v1}/postgrest`)).status).toBeGreaterThanOrEqual(400)
  expect((await world.as('Administrator').call('POST', `${v1}/restore`)).status).toBe(200)
  await expect.poll(status).toBe('ACTIVE_HEALTHY')
})
