import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxSigningKeys, type SigningKey } from '#contract/projects/signing-keys'
import { keySetOf } from '#kit/jwt-key-set'
import { keyedRef, otherRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'

let world: KeyedPlane
const url = `/v1/projects/${keyedRef}/config/auth/signing-keys`
beforeAll(async () => {
  world = await startKeyedPlane()
})
afterAll(() => world.end())
beforeEach(() => world.reset())

const create = async (body: object, who = world.ada) => who.call('POST', url, body)
const move = (id: string, status: string, who = world.ada) =>
  who.call('PATCH', `${url}/${id}`, { status })
const list = async (): Promise<SigningKey[]> => {
  const { body } = await world.ada.call('GET', url)
  return body['keys'] as SigningKey[]
}
const statuses = async () => (await list()).map(({ algorithm, status }) => `${algorithm} ${status}`)
const made = async (body: object): Promise<string> => {
  const answer = await create(body)
  expect(answer).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}
const legacyId = async () => String((await world.ada.call('GET', `${url}/legacy`)).body['id'])
const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }) })
const ec = (namedCurve = 'P-256') => jwkOf(generateKeyPairSync('ec', { namedCurve }).privateKey)
const rsa = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength })
const ed = () => generateKeyPairSync('ed25519')
const oct = (bytes = 32) => ({ kty: 'oct', k: randomBytes(bytes).toString('base64url') })

test.each([
  [{}, 'algorithm'],
  [{ algorithm: 'none' }, 'algorithm'],
  [{ algorithm: 'ES512' }, 'algorithm'],
  [{ algorithm: 'ES256', status: 'revoked' }, 'status'],
  [{ algorithm: 'ES256', private_jwk: 'a text' }, 'private_jwk'],
  [{ algorithm: 'ES256', private_jwk: { ...ec(), x5c: 'x'.repeat(20_000) } }, 'private_jwk'],
  [
    { algorithm: 'ES256', private_jwk: { ...ec(), d: undefined } },
    'private_jwk: it is not private',
  ],
  [{ algorithm: 'HS256', private_jwk: oct(31) }, 'private_jwk: k must hold'],
])('%o is refused, by name', async (body, said) => {
  const answer = await create(body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
})

test.each([
  ['Owner', 200, 201],
  ['Administrator', 200, 201],
  ['Developer', 200, 403],
  ['Read-only', 200, 403],
] as const)('%s sees the keys with %i; making one is %i', async (role, sees, makes) => {
  const member = world.memberAs(role)
  const legacy = await legacyId()
  expect((await member.call('GET', url)).status).toBe(sees)
  expect((await member.call('GET', `${url}/${legacy}`)).status).toBe(sees)
  const answer = await create({ algorithm: 'EdDSA' }, member)
  expect(answer.status).toBe(makes)
  const id = makes === 201 ? String(answer.body['id']) : legacy
  const changes = makes === 201 ? 200 : 403
  expect((await move(id, 'standby', member)).status).toBe(makes === 201 ? 200 : 403)
  expect((await member.call('POST', `${url}/legacy`)).status).toBe(makes)
  for (const status of ['previously_used', 'revoked'])
    if (changes === 200) expect((await move(id, status, member)).status).toBe(200)
  expect((await member.call('DELETE', `${url}/${id}`)).status).toBe(changes)
})

test('nobody without a session, and nobody from elsewhere, comes near', async () => {
  const id = await legacyId()
  for (const [method, address, body] of [
    ['GET', url],
    ['POST', url, { algorithm: 'ES256' }],
    ['GET', `${url}/legacy`],
    ['GET', `${url}/${id}`],
    ['PATCH', `${url}/${id}`, { status: 'revoked' }],
    ['DELETE', `${url}/${id}`],
  ] as const) {
    expect((await world.plane.app.inject({ method, url: address })).statusCode).toBe(401)
    const answer = await world.stranger.call(method, address, body)
    expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
  }
})

test('a key of another project is not there', async () => {
  const id = await made({ algorithm: 'EdDSA' })
  const elsewhere = `/v1/projects/${otherRef}/config/auth/signing-keys/${id}`
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { status: 'in_use' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await world.ada.call(method, elsewhere, body)
    expect(answer).toMatchObject({ status: 404, body: { code: 'signing_key_not_found' } })
  }
  expect((await world.served(otherRef)).signingKeys).toHaveLength(1)
})

test('a key lives as the table of moves says, and every other move is refused', async () => {
  const legacy = await legacyId()
  expect(await move(legacy, 'revoked')).toMatchObject({
    status: 409,
    body: { code: 'signing_key_move' },
  })
  const id = await made({ algorithm: 'ES256' })
  expect(await create({ algorithm: 'RS256' })).toMatchObject({ body: { code: 'standby_exists' } })
  expect((await move(id, 'revoked')).status).toBe(409)
  expect((await world.ada.call('DELETE', `${url}/${id}`)).body['code']).toBe(
    'signing_key_not_revoked',
  )
  expect((await move(id, 'in_use')).status).toBe(200)
  expect(await statuses()).toEqual(['ES256 in_use', 'HS256 previously_used'])
  // The keys of clients are signed by it.
  expect(await move(legacy, 'revoked')).toMatchObject({
    status: 409,
    body: { code: 'legacy_keys_enabled' },
  })
  await world.ada.call('PUT', `/v1/projects/${keyedRef}/api-keys/legacy?enabled=false`)
  expect((await move(legacy, 'revoked')).status).toBe(200)
  expect(await statuses()).toEqual(['ES256 in_use', 'HS256 revoked'])
  expect((await world.served()).signingKeys.map(({ kid }) => kid)).toEqual([id])
  const gone = await world.ada.call('DELETE', `${url}/${legacy}`)
  expect(gone).toMatchObject({ status: 409, body: { code: 'signing_key_not_revoked' } })
  const enabled = await world.ada.call(
    'PUT',
    `/v1/projects/${keyedRef}/api-keys/legacy?enabled=true`,
  )
  expect(enabled).toMatchObject({ status: 409, body: { code: 'legacy_secret_revoked' } })

  // Every step can be taken back.
  expect((await move(legacy, 'standby')).status).toBe(200)
  expect((await move(legacy, 'in_use')).status).toBe(200)
  expect((await move(id, 'revoked')).status).toBe(200)
  expect((await world.ada.call('DELETE', `${url}/${id}`)).status).toBe(200)
  expect(await statuses()).toEqual(['HS256 in_use'])
  expect(await world.ada.call('GET', `${url}/${id}`)).toMatchObject({ status: 404 })
})

test('two rotations at once leave one key in use', async () => {
  const id = await made({ algorithm: 'ES256' })
  const answers = await Promise.all([
    move(id, 'in_use'),
    create({ algorithm: 'EdDSA', status: 'in_use' }),
    move(id, 'in_use'),
  ])
  for (const { status } of answers) expect([200, 201, 409]).toContain(status)
  expect((await statuses()).filter((line) => line.endsWith('in_use'))).toHaveLength(1)
})

test('a project has so many keys and no more, and a name only once', async () => {
  const named = { ...jwkOf(ed().privateKey), kid: 'mine' }
  await made({ algorithm: 'EdDSA', private_jwk: named, status: 'in_use' })
  expect(await create({ algorithm: 'EdDSA', private_jwk: named })).toMatchObject({
    status: 409,
    body: { code: 'signing_key_exists' },
  })
  for (let i = 2; i < maxSigningKeys; i += 1) await made({ algorithm: 'EdDSA', status: 'in_use' })
  expect(await create({ algorithm: 'EdDSA' })).toMatchObject({
    status: 409,
    body: { code: 'too_many_signing_keys' },
  })
})

test.each([
  ['HS256', () => oct(64)],
  ['RS256', () => jwkOf(rsa().privateKey)],
  ['ES256', () => ec()],
  ['EdDSA', () => jwkOf(ed().privateKey)],
] as const)(
  '%s: made here and brought along, sealed, served, and never shown',
  async (algorithm, make) => {
    await made({ algorithm })
    const private_jwk = { ...make(), kid: `my ${algorithm}`, alg: algorithm, use: 'sig' }
    const answer = await create({ algorithm, private_jwk, status: 'in_use' })
    const isSecret = algorithm === 'HS256'
    expect(answer).toMatchObject({
      status: 201,
      body: {
        algorithm,
        status: 'in_use',
        is_legacy: false,
        public_jwk: isSecret ? null : { kid: `my ${algorithm}`, alg: algorithm, use: 'sig' },
      },
    })
    const connection = await world.served()
    const keySet = keySetOf(connection)
    expect(keySet.current).toMatchObject({ kid: `my ${algorithm}`, algorithm })
    expect(keySet.keys).toHaveLength(3)
    // Only what signs is private where the data plane has it.
    const standby = connection.signingKeys.find(({ status }) => status === 'standby')
    expect(standby?.jwk['d']).toBeUndefined()
    expect(standby?.jwk['k'] !== undefined).toBe(isSecret)

    const secret = String('k' in private_jwk ? private_jwk.k : private_jwk['d'])
    const places = [
      JSON.stringify(answer.body),
      JSON.stringify(await list()),
      await world.rows('signing_keys'),
      JSON.stringify(await world.audited('signingKeys')),
      world.logged(),
    ]
    for (const place of places) expect(place.includes(secret)).toBe(false)
  },
)

test('what was changed, from what to what, and by whom is in the audit log; what changed nothing is not', async () => {
  const id = await made({ algorithm: 'ES256', private_jwk: ec() })
  await move(id, 'standby')
  await move(id, 'in_use', world.memberAs('Administrator'))
  expect(await world.audited('signingKeys')).toMatchObject([
    {
      action: 'signingKeys.create',
      change: { key: id, algorithm: 'ES256', after: { status: 'standby', imported: true } },
      actor_email: 'ada@example.com',
    },
    {
      action: 'signingKeys.update',
      change: { key: id, before: { status: 'standby' }, after: { status: 'in_use' } },
      actor_email: 'administrator@example.com',
    },
  ])
})

test('the legacy secret is a key from the beginning, by whichever way it is asked for', async () => {
  const [first] = await list()
  const asked = await world.ada.call('GET', `${url}/legacy`)
  expect(asked.body).toEqual(first)
  expect((await world.ada.call('POST', `${url}/legacy`)).body).toEqual(first)
  const connection = await world.served()
  expect(keySetOf(connection).current.kid).toBe(
    keySetOf({ ...connection, signingKeys: [] }).current.kid,
  )
  expect(await world.audited('signingKeys')).toEqual([])
})

describe('a new project', () => {
  const project = (name: string, more: object) =>
    world.ada.call('POST', '/platform/projects', {
      name,
      organization_slug: 'acme',
      db_pass: 'a long and winding password 42!',
      db_region: 'eu-central-1',
      ...more,
    })

  test.each<[string, object]>([
    ['an algorithm of nobody', { signing_algorithm: 'none' }],
    ['a public key', { signing_algorithm: 'ES256', private_jwk: { ...ec(), d: undefined } }],
    ['a key that does not say what it is for', { private_jwk: ec() }],
    ['a key for another algorithm', { signing_algorithm: 'RS256', private_jwk: ec() }],
  ])('is not made with %s', async (name, more) => {
    expect(await project(name.slice(0, 20), more)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
  })

  test('signs with the key that it was made with, or with one made for it', async () => {
    for (const [name, more, algorithm] of [
      ['Imported', { private_jwk: { ...ec(), alg: 'ES256', kid: 'mine' } }, 'ES256'],
      ['Generated', { signing_algorithm: 'EdDSA' }, 'EdDSA'],
    ] as const) {
      const made = await project(name, more)
      expect(made.status).toBe(201)
      const keys = await world.ada.call(
        'GET',
        `/v1/projects/${String(made.body['ref'])}/config/auth/signing-keys`,
      )
      expect(keys.body['keys']).toMatchObject([
        { algorithm, status: 'in_use' },
        { algorithm: 'HS256', status: 'previously_used', is_legacy: true },
      ])
    }
  })
})

test('a project that goes takes its keys along', async () => {
  await made({ algorithm: 'EdDSA' })
  await world.plane.db
    .updateTable('platform.projects')
    .set({ status: 'REMOVED' })
    .where('ref', '=', keyedRef)
    .execute()
  expect((await world.served(otherRef)).signingKeys).toHaveLength(1)
  expect((await world.rows('signing_keys')).includes('EdDSA')).toBe(false)
})
