import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../testing/world.ts'

let world: World
let v1: string

beforeAll(async () => {
  world = await startWorld()
  v1 = `/v1/projects/${world.ref}`
})
afterAll(() => world.end())

test('programs find in answers what they expect of each', async () => {
  const auth = await world.ada.call('PATCH', `${v1}/config/auth`, { disable_signup: false })
  expect(auth.body).toMatchObject({
    disable_signup: false,
    db_max_pool_size_unit: null,
    smtp_admin_email: null,
    external_x_enabled: null,
    mailer_notifications_password_changed_enabled: null,
    custom_oauth_max_providers: expect.any(Number),
  })
  const rest = await world.ada.call('PATCH', `${v1}/postgrest`, { max_rows: 78 })
  expect(rest.body).toMatchObject({ max_rows: 78, db_pool_max_lifetime: null })
  const storage = await world.ada.call('PATCH', `${v1}/config/storage`, { fileSizeLimit: 999 })
  expect(storage.body).toMatchObject({ fileSizeLimit: 999, tracking_id: expect.any(String) })
})

test('requirements of passwords are those that the public command line client writes, also where they were chosen before', async () => {
  const sets =
    'abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789:!@#$%^&*()_+-=[]{};'
  const rest = '"|<>?,./`~'
  const written = sets + String.raw`'\\:` + rest
  const change = { password_required_characters: written }
  expect(await world.ada.call('PATCH', `${v1}/config/auth`, change)).toMatchObject({
    status: 200,
    body: { ...change, sms_provider: null },
  })
  const signUp = async (password: string) => {
    const email = `${randomUUID()}@example.com`
    const answer = await fetch(`${world.project.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: world.project.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    return answer.status
  }
  // The data plane hears of a change a moment later.
  await expect.poll(() => signUp('Abcdefg1')).toBe(422)
  for (const symbol of ['\\', ':', '~']) expect(await signUp(`Abcdefg1${symbol}`), symbol).toBe(200)
  const earlier = { PASSWORD_REQUIRED_CHARACTERS: sets + String.raw`'\:` + rest }
  await world.control.db
    .updateTable('platform.auth_configs')
    .set({ settings: JSON.stringify(earlier) })
    .execute()
  expect((await world.ada.call('GET', `${v1}/config/auth`)).body).toMatchObject(change)
  await world.ada.call('PATCH', `${v1}/config/auth`, { password_required_characters: null })
})

test('storage that there is not here is off, and cannot be switched on', async () => {
  const change = (body: object) => world.ada.call('PATCH', `${v1}/config/storage`, body)
  const bounds = { maxCatalogs: 2, maxNamespaces: 5, maxTables: 10 }
  const icebergCatalog = { enabled: false, ...bounds }
  const off = { icebergCatalog, vectorBuckets: { enabled: false, maxBuckets: 10, maxIndexes: 5 } }
  const { body: before } = await world.ada.call('GET', `${v1}/config/storage`)
  expect((await change({ features: off })).body).toEqual({
    ...before,
    tracking_id: expect.any(String),
  })
  expect(await change({ fileSizeLimit: 777, features: off })).toMatchObject({
    status: 200,
    body: { fileSizeLimit: 777 },
  })
  for (const [name, what, table] of [
    ['vectorBuckets', 'vector buckets', 'storage.vector'],
    ['icebergCatalog', 'analytics buckets', 'storage.analytics'],
  ] as const) {
    const on = { ...off, [name]: { enabled: true } }
    const answer = await change({ fileSizeLimit: 5, features: on })
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_on_this_installation' } })
    expect(answer.body['message']).toBe(
      `This installation has no ${what}. In config.toml, set enabled = false in [${table}] and push again.`,
    )
  }
  expect(await change({ features: { vectorBuckets: {} } })).toMatchObject({ status: 400 })
  expect(await change({ features: {} })).toMatchObject({
    status: 400,
    body: { message: 'Name at least one setting to change' },
  })
  const { body: after } = await world.ada.call('GET', `${v1}/config/storage`)
  expect(after['fileSizeLimit']).toBe(777)
})

test('all settings are read at once, by members', async () => {
  const path = `/v2/projects/${world.ref}/config`
  expect((await world.stranger.call('GET', path)).status).toBe(404)
  expect((await world.control.app.inject(path)).statusCode).toBe(401)
  const patch = (at: string, body: object, method: 'PATCH' | 'PUT' | 'POST' = 'PATCH') =>
    world.ada.call(method, `${v1}${at}`, body)
  const auth = await patch('/config/auth', {
    site_url: 'https://books.example.com',
    external_github_secret: 'hidden words',
  })
  expect(auth.status, JSON.stringify(auth.body)).toBe(200)
  await patch('/postgrest', { max_rows: 77 })
  await patch('/config/storage', { fileSizeLimit: 1_000_000 })
  await patch('/config/database/postgres', { work_mem: '9MB' }, 'PUT')
  const { status, body } = await world.as('Read-only').call('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({
    data: {
      type: 'project_config',
      id: world.ref,
      attributes: {
        database: {
          major_version: 17,
          ssl_enforced: false,
          network_restrictions: {
            allowed_cidrs: [
              { address: '0.0.0.0/0', type: 'v4' },
              { address: '::/0', type: 'v6' },
            ],
          },
          postgres_settings: { work_mem: '9MB' },
        },
        auth: { site_url: 'https://books.example.com' },
        api: { db_schema: expect.stringContaining('public'), max_rows: 77 },
        realtime: { private_only: false, suspend: false },
        storage: {
          file_size_limit: 1_000_000,
          features: { s3_protocol: { enabled: true } },
          capabilities: { list_v2: true },
        },
      },
    },
  })
  expect(JSON.stringify(body)).not.toMatch(/hidden words|jwt_secret"/)
})
