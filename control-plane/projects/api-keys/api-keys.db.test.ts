import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiKey, maxApiKeys } from '#contract/projects/api-keys'
import { keyedRef, otherRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'
import { internalToken } from '../../testing/control-plane.ts'

let world: KeyedPlane
const url = `/v1/projects/${keyedRef}/api-keys`
beforeAll(async () => {
  world = await startKeyedPlane()
})
afterAll(() => world.end())
beforeEach(() => world.reset())

const create = (body: object, who = world.ada) => who.call('POST', url, body)
const list = async (query = '', who = world.ada): Promise<ApiKey[]> =>
  // A list is an object of numbers to the one who reads any JSON.
  Object.values((await who.call('GET', `${url}${query}`)).body) as ApiKey[]
const made = async (type: string, name: string): Promise<ApiKey> => {
  const answer = await create({ type, name })
  expect(answer.status).toBe(201)
  return ApiKey.parse(answer.body)
}
const setLegacy = (enabled: string, who = world.ada) =>
  who.call('PUT', `${url}/legacy?enabled=${enabled}`)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test.each([
  [{ name: 'shop' }, 'type'],
  [{ type: 'legacy', name: 'shop' }, 'type'],
  [{ type: 'secret' }, 'name'],
  [{ type: 'secret', name: 'abc' }, 'name'],
  [{ type: 'secret', name: 'Shop' }, 'name'],
  [{ type: 'secret', name: '1shop' }, 'name'],
  [{ type: 'secret', name: 'a'.repeat(65) }, 'name'],
  [{ type: 'secret', name: 'shop', description: 'a\u0007' }, 'description'],
  [{ type: 'secret', name: 'shop', description: 'a'.repeat(501) }, 'description'],
  [{ type: 'secret', name: 'shop', secret_jwt_template: { role: 'postgres' } }, 'secret_jwt_temp'],
  [{ type: 'publishable', name: 'shop', secret_jwt_template: { role: 'service_role' } }, 'secret'],
  [{ type: 'secret', name: 'shop', reveal: 'perhaps' }, 'reveal'],
])('%o is refused, by name', async (body, said) => {
  const answer = await create(body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
  expect(await world.rows('api_keys')).toBe('')
})

test.each([
  ['Owner', 201],
  ['Administrator', 201],
  ['Developer', 403],
  ['Read-only', 403],
] as const)('%s makes, changes and ends keys with %i', async (role, makes) => {
  const member = world.memberAs(role)
  const { id } = await made('secret', 'shop')
  const changes = makes === 201 ? 200 : 403
  expect((await create({ type: 'secret', name: 'another' }, member)).status).toBe(makes)
  expect((await member.call('PATCH', `${url}/${id}`, { name: 'renamed' })).status).toBe(changes)
  expect((await setLegacy('false', member)).status).toBe(changes)
  expect((await setLegacy('true', member)).status).toBe(changes)
  expect((await member.call('PUT', `${url}/needed?needed=true`)).status).toBe(changes)
  expect((await member.call('DELETE', `${url}/${id}`)).status).toBe(changes)
})

test('who may read keys sees them, secret ones whole only when asked; Read-only sees none', async () => {
  const [open, secret] = [await made('publishable', 'page'), await made('secret', 'shop')]
  const developer = world.memberAs('Developer')
  for (const who of [world.ada, developer]) {
    const [anon, service, first, second] = await list('', who)
    expect([anon?.type, service?.type, anon?.name, service?.name]).toEqual([
      'legacy',
      'legacy',
      'anon',
      'service_role',
    ])
    expect(first?.api_key).toBe(open.api_key)
    expect(second?.api_key).toBe(`${secret.prefix}${'·'.repeat(20)}`)
    expect((await list('?reveal=true', who))[3]?.api_key).toBe(secret.api_key)
    const one = (query: string) => who.call('GET', `${url}/${secret.id}${query}`)
    expect((await one('')).body['api_key']).not.toBe(secret.api_key)
    expect((await one('?reveal=1')).body['api_key']).toBe(secret.api_key)
  }
  const reader = world.memberAs('Read-only')
  expect(await list('?reveal=true', reader)).toEqual([])
  for (const path of [`${url}/${open.id}`, `${url}/${secret.id}?reveal=true`, `${url}/legacy`])
    expect((await reader.call('GET', path)).status).toBe(403)
})

test('nobody without a session, and nobody from elsewhere, comes near', async () => {
  const { id } = await made('secret', 'shop')
  for (const [method, address, body] of [
    ['GET', `${url}?reveal=true`],
    ['POST', url, { type: 'secret', name: 'mine' }],
    ['GET', `${url}/legacy`],
    ['PUT', `${url}/legacy?enabled=false`],
    ['GET', `${url}/needed`],
    ['PUT', `${url}/needed?needed=false`],
    ['GET', `${url}/${id}?reveal=true`],
    ['PATCH', `${url}/${id}`, { name: 'mine' }],
    ['DELETE', `${url}/${id}`],
  ] as const) {
    expect((await world.plane.app.inject({ method, url: address })).statusCode).toBe(401)
    const answer = await world.stranger.call(method, address, body)
    expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
  }
})

test('whether requests need a key: they do, until somebody who may says otherwise', async () => {
  const needed = async (value: string) => world.ada.call('PUT', `${url}/needed?needed=${value}`)
  expect((await world.ada.call('GET', `${url}/needed`)).body).toEqual({ needed: true })
  expect((await world.served(keyedRef)).settings.keyOptional).toBe(false)
  expect(await needed('perhaps')).toMatchObject({ status: 400 })
  expect(await needed('false')).toMatchObject({ status: 200, body: { needed: false } })
  expect((await world.served(keyedRef)).settings.keyOptional).toBe(true)
  expect((await world.served(otherRef)).settings.keyOptional).toBe(false)
  expect(await needed('true')).toMatchObject({ status: 200, body: { needed: true } })
  expect((await world.served(keyedRef)).settings.keyOptional).toBe(false)
})

test('a key of another project is not there', async () => {
  const { id } = await made('secret', 'shop')
  const elsewhere = `/v1/projects/${otherRef}/api-keys/${id}`
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await world.ada.call(method, elsewhere, body)
    expect(answer).toMatchObject({ status: 404, body: { code: 'api_key_not_found' } })
  }
  expect((await world.served(otherRef)).opaqueKeys).toEqual([])
})

test('a name is there once for each type, in one project', async () => {
  const { id } = await made('secret', 'shop')
  await made('publishable', 'shop')
  expect(await create({ type: 'secret', name: 'shop' })).toMatchObject({
    status: 409,
    body: { code: 'name_taken' },
  })
  const other = await made('secret', 'other')
  const renamed = await world.ada.call('PATCH', `${url}/${other.id}`, { name: 'shop' })
  expect(renamed).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  const body = { type: 'secret', name: 'shop' }
  expect((await world.ada.call('POST', `/v1/projects/${otherRef}/api-keys`, body)).status).toBe(201)
  expect((await world.ada.call('PATCH', `${url}/${id}`, { name: 'shop' })).status).toBe(200)
})

test('a project has so many keys and no more', async () => {
  await sql`
    insert into platform.api_keys (project_id, type, name, sha256, sealed_key, prefix)
    select p.id, 'publishable', 'page_' || n, md5(n::text), 'sealed', 'sb_publishable_'
    from platform.projects p, generate_series(1, ${maxApiKeys}::int) n where p.ref = ${keyedRef}`.execute(
    world.plane.db,
  )
  expect(await create({ type: 'secret', name: 'one_more' })).toMatchObject({
    status: 409,
    body: { code: 'too_many_api_keys' },
  })
})

test('the text of a key is in the answer that makes it, and nowhere else', async () => {
  const secret = await made('secret', 'shop')
  expect(secret).toMatchObject({
    type: 'secret',
    name: 'shop',
    api_key: expect.stringMatching(/^sb_secret_[\w-]{43}$/),
    prefix: secret.api_key.slice(0, 15),
    hash: Buffer.from(sha256(secret.api_key), 'hex').toString('base64url'),
    secret_jwt_template: { role: 'service_role' },
    last_used_at: null,
  })
  const open = await made('publishable', 'page')
  expect(open.api_key).toMatch(/^sb_publishable_[\w-]{43}$/)
  const { opaqueKeys } = await world.served()
  expect(opaqueKeys).toEqual([
    { sha256: sha256(open.api_key), role: 'anon' },
    { sha256: sha256(secret.api_key), role: 'service_role' },
  ])
  const places = [
    await world.rows('api_keys'),
    JSON.stringify(await world.audited('apiKeys')),
    JSON.stringify(await world.served()),
    world.logged(),
  ]
  for (const place of places) expect(place.includes(secret.api_key)).toBe(false)
})

test('a key is renamed, described and ended; each change is in the audit log', async () => {
  const { id } = await made('secret', 'shop')
  const changed = await world.ada.call('PATCH', `${url}/${id}`, { name: 'store', description: 'x' })
  expect(changed.body).toMatchObject({ id, name: 'store', description: 'x' })
  await world.ada.call('PATCH', `${url}/${id}`, { name: 'store' })
  const undescribed = await world.ada.call('PATCH', `${url}/${id}`, { description: '' })
  expect(undescribed.body).toMatchObject({ description: null })
  await world.ada.call('DELETE', `${url}/${id}?was_compromised=true&reason=leaked`)
  expect((await world.served()).opaqueKeys).toEqual([])
  expect((await world.ada.call('DELETE', `${url}/${id}`)).status).toBe(404)
  const key = { id, type: 'secret' }
  expect((await world.audited('apiKeys')).map(({ action, change }) => [action, change])).toEqual([
    ['apiKeys.create', { after: { ...key, name: 'shop', description: null } }],
    [
      'apiKeys.update',
      {
        before: { ...key, name: 'shop', description: null },
        after: { ...key, name: 'store', description: 'x' },
      },
    ],
    ['apiKeys.update', expect.anything()],
    [
      'apiKeys.remove',
      {
        before: { ...key, name: 'store', description: null },
        was_compromised: true,
        reason: 'leaked',
      },
    ],
  ])
})

test.each([
  ['false', 'true'],
  ['0', '1'],
  ['no', 'yes'],
  ['off', 'on'],
  ['n', 'y'],
  ['disabled', 'enabled'],
])('legacy keys are ended with %s and come back with %s', async (off, on) => {
  await made('publishable', 'page')
  await made('secret', 'shop')
  const tags = async () => {
    const { body } = await world.ada.call('GET', `/platform/projects/${keyedRef}/settings`)
    return (body['service_api_keys'] as { name: string; tags: string }[]).map(
      ({ name, tags: role }) => `${role}: ${name}`,
    )
  }
  expect(await tags()).toEqual(['anon: anon key', 'service_role: service_role key'])
  expect((await setLegacy(off)).body).toEqual({ enabled: false })
  expect((await setLegacy(off)).body).toEqual({ enabled: false })
  expect((await world.ada.call('GET', `${url}/legacy`)).body).toEqual({ enabled: false })
  expect((await list()).map(({ type }) => type)).toEqual(['publishable', 'secret'])
  // Pages that show one key show one that works.
  expect(await tags()).toEqual(['anon: publishable key', 'service_role: secret key'])
  expect((await world.served()).legacyKeysDisabledAt).toMatch(/^20/)
  expect((await setLegacy(on)).body).toEqual({ enabled: true })
  expect((await world.served()).legacyKeysDisabledAt).toBeUndefined()
  expect(await world.audited('apiKeys')).toMatchObject([
    {},
    {},
    {
      action: 'apiKeys.setLegacy',
      change: { before: { enabled: true }, after: { enabled: false } },
    },
    { action: 'apiKeys.setLegacy' },
  ])
})

test.each(['', 'maybe', '2'])('enabled=%s is refused', async (text) => {
  expect((await setLegacy(text)).status).toBe(400)
})

test('uses of keys are kept, the latest of each; unknown keys and other projects’ are passed over', async () => {
  const { id, api_key } = await made('secret', 'shop')
  const report = (uses: object[], token = internalToken) =>
    world.plane.app.inject({
      method: 'POST',
      url: '/internal/key-uses',
      headers: { authorization: `Bearer ${token}` },
      payload: { uses },
    })
  const use = { ref: keyedRef, sha256: sha256(api_key), at: Date.parse('2026-01-02T03:04:05Z') }
  const usedAt = async () => (await world.ada.call('GET', `${url}/${id}`)).body['last_used_at']
  expect((await report([use], 'wrong')).statusCode).toBe(401)
  expect((await report([{ ...use, sha256: 'x' }])).statusCode).toBe(400)
  const elsewhere = { ...use, ref: otherRef }
  expect((await report([elsewhere, { ...use, sha256: 'f'.repeat(64) }])).json()).toEqual({
    kept: 0,
  })
  expect(await usedAt()).toBeNull()
  expect((await report([{ ...use, at: 5 }, use])).json()).toEqual({ kept: 1 })
  await report([{ ...use, at: use.at - 1000 }])
  expect(await usedAt()).toBe('2026-01-02T03:04:05.000Z')
})
