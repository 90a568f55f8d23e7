import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { withClient } from '#kit/postgres/client'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person

const project = (name: string, more: object = {}) => ({
  name,
  organization_slug: 'acme',
  db_pass: 'a long and winding password 42!',
  db_region: 'eu-central-1',
  cloud_provider: 'AWS',
  desired_instance_size: 'micro',
  ...more,
})

/** What stands for the data plane: the answer of every data API, and nothing else. */
let dataApi = 401
let services: Server

beforeAll(async () => {
  services = createServer((request, response) => {
    if (!request.url?.endsWith('/rest/v1/')) {
      response.destroy()
      return
    }
    response.statusCode = dataApi
    response.end()
  })
  await new Promise<void>((done) => services.listen(0, '127.0.0.1', done))
  const { port } = services.address() as AddressInfo
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`, { rounds: true })
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  await organizationOf(ada, 'Acme', 'tier_pro')
})
afterAll(async () => {
  await plane.end()
  services.close()
})

/** Asks until the project has this status; fails after 30 s with what it had last. */
async function reaches(ref: string, requested: string): Promise<void> {
  const deadline = Date.now() + 30_000
  let status = ''
  while (Date.now() < deadline) {
    const answer = await ada.call('GET', `/platform/projects/${ref}/status`)
    const told = answer.body['status']
    status = typeof told === 'string' ? told : String(answer.status)
    if (status === requested) return
    await delay(20)
  }
  expect(status).toBe(requested)
}

test('where projects have no ports of their own, it says so', async () => {
  const refused = await ada.call(
    'POST',
    '/platform/projects',
    project('Port', { listen_port: 54_321 }),
  )
  expect(refused).toMatchObject({ status: 409, body: { code: 'port_unavailable' } })
  expect(refused.body['message']).toContain('installations on one machine')
})

test('what new tables are open to is private unless told', async () => {
  const wrong = await ada.call(
    'POST',
    '/platform/projects',
    project('Open', { new_tables: 'open' }),
  )
  expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  const refs = []
  for (const [name, more] of [
    ['Private tables', {}],
    ['Granted tables', { new_tables: 'granted' }],
  ] as const) {
    const made = await ada.call('POST', '/platform/projects', project(name, more))
    expect(made.status).toBe(201)
    refs.push(String(made.body['ref']))
  }
  const said = []
  for (const ref of refs) {
    await reaches(ref, 'ACTIVE_HEALTHY')
    const row = await plane.db
      .selectFrom('platform.projects')
      .select('db_address')
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow()
    said.push(await tablesOf(row.db_address))
  }
  expect(said).toEqual(['private false', 'granted true'])
  for (const ref of refs)
    expect((await ada.call('DELETE', `/platform/projects/${ref}`)).status).toBe(200)
})

/** What the database says of new tables, and whether one is granted to anon, as its owner sees it. */
async function tablesOf(address: ProjectAddress | null): Promise<string> {
  if (!address) throw new Error('It has no address')
  const login = { user: 'postgres', password: project('').db_pass, database: 'postgres' }
  return withClient({ ...login, host: address.host, port: address.port }, async (client) => {
    await client.query('create table made (id int)')
    const { rows } = await client.query<{ said: string }>(
      `select replace(s, 'pgrst.new_tables=', '') || ' ' || has_table_privilege('anon', 'made', 'select') as said
       from pg_db_role_setting d cross join unnest(d.setconfig) s
       where d.setrole = 'authenticator'::regrole and s like 'pgrst.new_tables=%'`,
    )
    return rows[0]?.said ?? ''
  })
}

async function create(name: string): Promise<string> {
  const made = await ada.call('POST', '/platform/projects', project(name))
  expect(made.status).toBe(201)
  const ref = String(made.body['ref'])
  await reaches(ref, 'ACTIVE_HEALTHY')
  return ref
}

test.each([
  ['no password', { db_pass: undefined }],
  ['a password of 100 characters', { db_pass: 'x'.repeat(100) }],
  ['a name of two letters', { name: 'ab' }],
  ['an unknown region', { db_region: 'moon-1' }],
  ['a region of another provider', { cloud_provider: 'FLY' }],
  ['a region that its own provider has not', { db_region: 'sin' }],
  ['an unknown size', { desired_instance_size: 'pico' }],
  ['an unknown cloud', { cloud_provider: 'AZURE' }],
])('a project with %s is refused', async (_, wrong) => {
  expect(await ada.call('POST', '/platform/projects', project('Books', wrong))).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  })
})

test('a stranger cannot create in an organization, which does not exist for them', async () => {
  expect((await bob.call('POST', '/platform/projects', project('Books'))).status).toBe(404)
  const elsewhere = project('Books', { organization_slug: 'nowhere' })
  expect((await ada.call('POST', '/platform/projects', elsewhere)).status).toBe(404)
})

test('a project comes up, and its shape is what clients rely on', async () => {
  const made = await ada.call('POST', '/platform/projects', project('Books'))
  const ref = String(made.body['ref'])
  expect(ref).toMatch(/^[a-z]{20}$/)
  expect(made).toMatchObject({
    status: 201,
    body: {
      status: 'COMING_UP',
      postgrestStatus: 'OFFLINE',
      name: 'Books',
      endpoint: `http://localhost:8001/${ref}`,
    },
  })
  expect(String(made.body['anon_key']).split('.')).toHaveLength(3)
  await reaches(ref, 'ACTIVE_HEALTHY')
  const detail = await ada.call('GET', `/platform/projects/${ref}`)
  expect(detail.body).toMatchObject({
    ref,
    organization_slug: 'acme',
    slug: 'acme',
    restUrl: `http://localhost:8001/${ref}/rest/v1/`,
    region: 'eu-central-1',
    infra_compute_size: 'micro',
    postgrestStatus: 'ONLINE',
  })
  expect(String(detail.body['connectionString'])).toMatch(/^v1\./)
  // The data API has a state of its own: its database is well, whoever serves it.
  dataApi = 503
  expect((await ada.call('GET', `/platform/projects/${ref}`)).body).toMatchObject({
    status: 'ACTIVE_HEALTHY',
    postgrestStatus: 'OFFLINE',
  })
  dataApi = 401

  const settings = await ada.call('GET', `/platform/projects/${ref}/settings`)
  expect(settings.body['service_api_keys']).toMatchObject([
    { name: 'anon key', tags: 'anon', api_key: made.body['anon_key'] },
    { name: 'service_role key', tags: 'service_role', api_key: made.body['service_key'] },
  ])
})

test.each([
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['GET', '/status'],
  ['GET', '/settings'],
  ['POST', '/pause'],
  ['POST', '/restore'],
  ['POST', '/restart'],
] as const)('%s /platform/projects/{ref}%s does not exist for a stranger', async (method, rest) => {
  const list = await ada.call('GET', '/platform/projects')
  const [first] = list.body['projects'] as { ref: string }[]
  const body = method === 'PATCH' ? { name: 'Stolen' } : undefined
  expect(
    await bob.call(method, `/platform/projects/${first?.ref ?? ''}${rest}`, body),
  ).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
  expect((await ada.call(method, `/platform/projects/NOPE${rest}`, body)).status).toBe(400)
})

test('names are unique in an organization, whatever their case and however close the calls', async () => {
  const answers = await Promise.all(
    ['Race', 'race', 'RACE'].map((name) => ada.call('POST', '/platform/projects', project(name))),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  const made = answers.find(({ status }) => status === 201)
  await reaches(String(made?.body['ref']), 'ACTIVE_HEALTHY')
  const other = await create('Other')
  expect(await ada.call('PATCH', `/platform/projects/${other}`, { name: 'RaCe' })).toMatchObject({
    status: 409,
    body: { code: 'name_taken' },
  })
  expect(await ada.call('PATCH', `/platform/projects/${other}`, { name: 'Else' })).toMatchObject({
    status: 200,
    body: { name: 'Else' },
  })
})

test('pause, resume, restart and delete; each order is refused where it makes no sense', async () => {
  const ref = await create('Life')
  const at = `/platform/projects/${ref}`
  const paused = await Promise.all([
    ada.call('POST', `${at}/pause`),
    ada.call('POST', `${at}/pause`),
  ])
  expect(paused.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await ada.call('DELETE', at)).status).toBe(409)
  await reaches(ref, 'INACTIVE')
  expect(await plane.compute.inspect(ref)).toEqual({ state: 'stopped' })
  expect((await ada.call('POST', `${at}/restart`)).body).toMatchObject({ code: 'project_busy' })

  expect((await ada.call('POST', `${at}/restore`)).body).toMatchObject({ status: 'RESTORING' })
  await reaches(ref, 'ACTIVE_HEALTHY')
  expect((await ada.call('POST', `${at}/restore`)).status).toBe(409)
  expect((await ada.call('POST', `${at}/restart`)).body).toMatchObject({ status: 'RESTARTING' })
  await reaches(ref, 'ACTIVE_HEALTHY')

  expect((await ada.call('DELETE', at)).body).toMatchObject({ status: 'GOING_DOWN' })
  await reaches(ref, '404')
  expect(await plane.compute.inspect(ref)).toEqual({ state: 'absent' })
  expect(await plane.compute.list()).not.toContain(ref)
  const row = await plane.db
    .selectFrom('platform.projects')
    .select(['status', 'sealed_secrets', 'db_address'])
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ status: 'REMOVED', sealed_secrets: '', db_address: null })
})

test('a deletion that is over before its answer is given is answered all the same', async () => {
  const ref = await create('Quick')
  const { jobs } = plane
  const { start } = jobs
  // As where the machine is quick: nothing goes on here before the project is gone.
  jobs.start = async (job) => {
    await start(job)
    await reaches(ref, '404')
  }
  try {
    const { status, body } = await ada.call('DELETE', `/platform/projects/${ref}`)
    expect({ status, of: body['status'] }).toEqual({ status: 200, of: 'GOING_DOWN' })
  } finally {
    jobs.start = start
  }
})

test('what is being made cannot be deleted, paused or renamed to a taken name meanwhile', async () => {
  const made = await ada.call('POST', '/platform/projects', project('Unborn'))
  const ref = String(made.body['ref'])
  const at = `/platform/projects/${ref}`
  const orders = await Promise.all([
    ada.call('DELETE', at),
    ada.call('POST', `${at}/pause`),
    ada.call('POST', `${at}/restore`),
    ada.call('POST', `${at}/restart`),
  ])
  expect(orders.map(({ status }) => status)).toEqual([409, 409, 409, 409])
  expect((await ada.call('PATCH', at, { name: 'Books' })).status).toBe(409)
  await reaches(ref, 'ACTIVE_HEALTHY')
  const both = await Promise.all([ada.call('DELETE', at), ada.call('DELETE', at)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await reaches(ref, '404')
})

test('members see keys by their role', async () => {
  const ref = await create('Keys')
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const become = (role: 'Developer' | 'Read-only') =>
    plane.db
      .insertInto('platform.members')
      .values({ organization_id: id, user_id: bob.userId, role })
      .onConflict((c) => c.columns(['organization_id', 'user_id']).doUpdateSet({ role }))
      .execute()
  await become('Developer')
  const seen = await bob.call('GET', `/platform/projects/${ref}/settings`)
  expect(seen.body['service_api_keys']).toHaveLength(2)
  expect((await bob.call('DELETE', `/platform/projects/${ref}`)).status).toBe(403)
  expect((await bob.call('POST', `/platform/projects/${ref}/pause`)).status).toBe(403)

  await become('Read-only')
  const hidden = await bob.call('GET', `/platform/projects/${ref}/settings`)
  expect(hidden.body['service_api_keys']).toEqual([])
  expect(hidden.body['jwt_secret']).toBeUndefined()
  expect((await bob.call('POST', `/platform/projects/${ref}/restart`)).status).toBe(403)
})

test('an organization with projects cannot be deleted', async () => {
  expect(await ada.call('DELETE', '/platform/organizations/acme')).toMatchObject({
    status: 409,
    body: { code: 'organization_not_empty' },
  })
})

test('the internal API opens for the token only and tells the data plane how to connect', async () => {
  const list = await ada.call('GET', '/platform/projects')
  const [first] = list.body['projects'] as { ref: string }[]
  const url = `/internal/projects/${first?.ref}`
  expect((await plane.app.inject({ url })).statusCode).toBe(401)
  const wrong = { authorization: `Bearer ${ada.token}` }
  expect((await plane.app.inject({ url, headers: wrong })).statusCode).toBe(401)
  const headers = { authorization: `Bearer ${internalToken}` }
  const answer = await plane.app.inject({ url, headers })
  expect(answer.json()).toMatchObject({ ref: first?.ref, database: { name: 'postgres' } })
})

test('a database that is killed is noticed and started again; the row never lies for long', async () => {
  const ref = await create('Phoenix')
  await plane.compute.stop(ref)
  await reaches(ref, 'ACTIVE_UNHEALTHY')
  await reaches(ref, 'ACTIVE_HEALTHY')
  expect(await plane.compute.probe(ref)).toBe(true)
})
