import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthUsers, type AuthUsersWorld } from '../../testing/auth-users.ts'

let world: AuthUsersWorld
let url: string
beforeAll(async () => {
  world = await startAuthUsers()
  url = `${world.base}/oauth-clients`
})
afterAll(() => world?.planes.end())

const app = { client_name: 'Calendar', redirect_uris: ['https://calendar.example.com/back'] }
const create = (body: object = app, who = world.ada) => who.call('POST', url, body)
const list = async () => {
  const { body } = await world.ada.call('GET', url)
  return body as { clients: { client_id: string; client_name: string }[]; next: number | null }
}
const audited = () =>
  world.planes.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change', 'actor_email'])
    .where('action', 'like', 'authOauthClients.%')
    .orderBy('id')
    .execute()

test('while the server is off there is nothing to list, and it says why', async () => {
  for (const answer of [await world.ada.call('GET', url), await create()])
    expect(answer).toMatchObject({ status: 400, body: { message: 'This is not enabled' } })
  expect(await audited()).toEqual([])
  await world.planes.set({ OAUTH_SERVER_ENABLED: true })
  expect(await list()).toEqual({ clients: [], next: null })
})

test.each<[string, object, string]>([
  ['no name', { ...app, client_name: ' ' }, 'client_name'],
  ['no address', { ...app, redirect_uris: [] }, 'redirect_uris'],
  ['an address in plain http', { ...app, redirect_uris: ['http://example.com/'] }, 'https://'],
  ['an address with wildcards', { ...app, redirect_uris: ['https://*.example.com/'] }, 'wildcards'],
  ['another kind', { ...app, client_type: 'secret' }, 'client_type'],
])('an app with %s is refused', async (_, body, said) => {
  const answer = await create(body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
})

test('who may not change auth settings sees the apps and changes none', async () => {
  const { body } = await create()
  const one = `${url}/${String(body['client_id'])}`
  for (const who of [world.reader, world.developer]) {
    expect((await who.call('GET', url)).status).toBe(200)
    expect((await create(app, who)).status).toBe(403)
    for (const [method, address] of [
      ['PATCH', one],
      ['DELETE', one],
      ['POST', `${one}/secret`],
    ] as const)
      expect((await who.call(method, address, {})).status).toBe(403)
  }
  for (const [method, address] of [
    ['GET', url],
    ['POST', url],
    ['PATCH', one],
    ['DELETE', one],
    ['POST', `${one}/secret`],
  ] as const) {
    const answer = await world.stranger.call(method, address, method === 'GET' ? undefined : app)
    expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
    expect((await world.planes.plane.app.inject({ method, url: address })).statusCode).toBe(401)
  }
  expect((await world.ada.call('DELETE', one)).status).toBe(200)
  expect(await list()).toEqual({ clients: [], next: null })
})

test('an app is registered, changed, given a new secret and deleted; each stands in the audit log', async () => {
  const made = await create()
  expect(made).toMatchObject({
    status: 201,
    body: { ...app, client_type: 'confidential', client_secret: expect.stringMatching(/^.{40,}$/) },
  })
  const id = String(made.body['client_id'])
  const one = `${url}/${id}`
  const secret = String(made.body['client_secret'])
  expect(JSON.stringify(await list())).not.toContain(secret)

  /** What the project's own OAuth server says to this secret: only who knows it comes as far as the code. */
  const tokenWith = async (with_: string) => {
    const answer = await world.planes.visit('/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${with_}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'x',
        code_verifier: 'x'.repeat(43),
        redirect_uri: 'https://calendar.example.com/back',
      }),
    })
    return ((await answer.json()) as { error: string }).error
  }
  expect(await tokenWith(secret)).toBe('invalid_grant')
  const changed = { client_name: 'Diary', redirect_uris: ['com.example.diary:/back'] }
  expect(await world.ada.call('PATCH', one, changed)).toMatchObject({ status: 200, body: changed })
  const again = await world.ada.call('POST', `${one}/secret`)
  expect(await tokenWith(secret)).toBe('invalid_client')
  expect(await tokenWith(String(again.body['client_secret']))).toBe('invalid_grant')
  expect((await world.ada.call('DELETE', one)).status).toBe(200)
  expect(await list()).toEqual({ clients: [], next: null })
  for (const [method, address] of [
    ['PATCH', one],
    ['POST', `${one}/secret`],
    ['DELETE', one],
  ] as const) {
    const answer = await world.ada.call(method, address, {})
    expect(answer).toMatchObject({ status: 404, body: { code: 'oauth_client_not_found' } })
  }

  const entries = (await audited()).slice(-4)
  const kind = { client_type: 'confidential' }
  expect(entries).toMatchObject([
    { action: 'authOauthClients.create', change: { client: id, after: { ...app, ...kind } } },
    { action: 'authOauthClients.update', change: { before: app, after: changed } },
    { action: 'authOauthClients.rotateSecret', change: { client: id } },
    { action: 'authOauthClients.remove', change: { before: changed } },
  ])
  for (const hidden of [secret, String(again.body['client_secret'])])
    expect(JSON.stringify(entries)).not.toContain(hidden)
})

test('a public app has no secret, and gets none', async () => {
  const made = await create({ ...app, client_type: 'public' })
  expect(made.body).toMatchObject({ client_type: 'public', client_secret: null })
  const answer = await world.ada.call('POST', `${url}/${String(made.body['client_id'])}/secret`)
  expect(answer).toMatchObject({ status: 400, body: { message: 'A public client has no secret' } })
})

test('more than a page of apps, the newest first', async () => {
  await world.sql(`insert into auth.oauth_clients
      (id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method, redirect_uris, grant_types,
       client_name, created_at, updated_at)
    select gen_random_uuid(), null, 'dynamic', 'public', 'none', array['https://example.com/'],
      array['authorization_code'], 'Agent ' || i, now() + i * interval '1 s', now() from generate_series(1, 60) i`)
  const { clients, next } = await list()
  expect([clients.length, clients[0]?.client_name, next]).toEqual([50, 'Agent 60', 2])
  const second = await world.ada.call('GET', `${url}?page=2`)
  expect(second.body).toMatchObject({ next: null })
})
