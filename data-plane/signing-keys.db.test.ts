import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { decodeProtectedHeader } from 'jose'
import WebSocket from 'ws'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServedSigningKey } from '#contract/internal'
import { jwkOfSecret, kidOfSecret } from '#kit/jwt-key-set'
import { bearerCalls } from './testing/bearer.ts'
import { startDataPlane, type TestDataPlane } from './testing/data-plane.ts'

let plane: TestDataPlane
let keyed: { [K in Algorithm]: ServedSigningKey }

type Algorithm = ServedSigningKey['algorithm']
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: generateKeyPairSync('ed25519').privateKey,
}
const shared = Buffer.from('another shared secret that is long enough')
const algorithms: Algorithm[] = ['HS256', 'RS256', 'ES256', 'EdDSA']

beforeAll(async () => {
  plane = await startDataPlane(
    `
    create table mine (id int primary key, owner uuid default auth.uid());
    alter table mine enable row level security;
    create policy own on mine to authenticated using (true)`,
    { auth: { MAILER_AUTOCONFIRM: true } },
  )
  const of = (algorithm: Exclude<Algorithm, 'HS256'>): ServedSigningKey => ({
    kid: `the ${algorithm} key`,
    algorithm,
    status: 'previously_used',
    jwk: { ...pairs[algorithm].export({ format: 'jwk' }) },
  })
  keyed = {
    HS256: {
      kid: 'the HS256 key',
      algorithm: 'HS256',
      status: 'previously_used',
      jwk: jwkOfSecret(shared),
    },
    RS256: of('RS256'),
    ES256: of('ES256'),
    EdDSA: of('EdDSA'),
  }
})
afterAll(() => plane.close())

const legacy = (status: ServedSigningKey['status'] = 'in_use'): ServedSigningKey => ({
  kid: kidOfSecret(plane.project.jwtSecret),
  algorithm: 'HS256',
  status,
  jwk: jwkOfSecret(Buffer.from(plane.project.jwtSecret)),
})
/** The project has these keys from now on, as a running data plane hears it. */
const serve = (...signingKeys: ServedSigningKey[]) =>
  plane.directory.put({ ...plane.project, signingKeys })
beforeEach(() => serve(legacy(), ...Object.values(keyed)))

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token made without the code under test. */
function token(
  header: { alg: string; kid?: string; [name: string]: unknown },
  key: KeyObject | Buffer | string,
) {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: `${plane.project.url}/auth/v1`,
    aud: 'authenticated',
    role: 'authenticated',
    sub: '6f0c9be4-2f5c-4f1f-9a55-7f0c2d1b8e11',
    session_id: 'c0a8b1de-49b5-4d4a-9f2b-0f6c1c6f6a55',
    aal: 'aal1',
    iat: now,
    exp: now + 60,
  }
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${signature(header.alg, text, key).toString('base64url')}`
}
function signature(alg: string, text: string, key: KeyObject | Buffer | string): Buffer {
  const data = Buffer.from(text)
  if (alg === 'none') return Buffer.alloc(0)
  if (alg.startsWith('HS'))
    return createHmac(`sha${alg.slice(2)}`, key)
      .update(text)
      .digest()
  if (typeof key === 'string' || Buffer.isBuffer(key)) throw new Error('no key')
  if (alg === 'EdDSA') return sign(null, data, key)
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
}
const keyFor = (alg: Algorithm) => (alg === 'HS256' ? shared : pairs[alg])
const good = (alg: Algorithm, kid: string | undefined = `the ${alg} key`) =>
  token({ alg, ...(kid && { kid }) }, keyFor(alg))

const { ask, answers } = bearerCalls(() => plane)
const accepted = [200, 200, 'session_not_found']
const refused = [401, 401, 'bad_jwt']

describe('every service refuses', () => {
  const publicPem = createPublicKey(pairs.RS256).export({ type: 'spki', format: 'pem' })
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  test.each<[string, () => string]>([
    ['no signature', () => token({ alg: 'none' }, '')],
    ['none by the name of a key', () => token({ alg: 'none', kid: 'the RS256 key' }, '')],
    ['a public key as secret', () => token({ alg: 'HS256', kid: 'the RS256 key' }, publicPem)],
    ['a public key as secret, unnamed', () => token({ alg: 'HS256' }, publicPem)],
    ['a key id of nobody', () => good('ES256', 'unknown')],
    ['the key id of another key', () => good('ES256', 'the EdDSA key')],
    [
      'an algorithm that the key is not for',
      () => token({ alg: 'HS512', kid: 'the HS256 key' }, shared),
    ],
    ['a key of somebody else', () => token({ alg: 'ES256', kid: 'the ES256 key' }, stranger)],
    [
      'a key that the token brings along',
      () =>
        token({ alg: 'ES256', jwk: createPublicKey(stranger).export({ format: 'jwk' }) }, stranger),
    ],
    [
      'the shared secret of another project',
      () => token({ alg: 'HS256' }, 'a secret of another project'),
    ],
  ])('%s', async (_, make) => {
    expect(await answers(make())).toEqual(refused)
  })
})

test.each(algorithms)('every service takes %s, named or not, until it is revoked', async (alg) => {
  expect(await answers(good(alg))).toEqual(accepted)
  expect(await answers(token({ alg }, keyFor(alg)))).toEqual(accepted)
  const others = Object.values(keyed).filter(({ algorithm }) => algorithm !== alg)
  serve(legacy(), ...others)
  // The same token, which was remembered as good.
  expect(await answers(good(alg))).toEqual(refused)
  serve(legacy(), { ...keyed[alg], status: 'standby' }, ...others)
  expect(await answers(good(alg))).toEqual(accepted)
})

const clientWith = (key: string) =>
  createClient(plane.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })

describe('with the public client', () => {
  let person = 0
  async function signUp() {
    const client = clientWith(plane.project.anonKey)
    const email = `person${(person += 1)}@example.com`
    const { data, error } = await client.auth.signUp({ email, password: 'correct horse 1' })
    expect(error).toBeNull()
    return { client, jwt: data.session?.access_token ?? '' }
  }

  test.each([
    ['RS256', 'by the published key'],
    ['ES256', 'by the published key'],
    // The client itself knows no more algorithms.
    ['EdDSA', 'not at all'],
  ] as const)(
    'after a rotation to %s sessions go on, and new tokens are by it; the client verifies them %s',
    async (alg, verified) => {
      serve(legacy())
      const before = await signUp()
      expect(decodeProtectedHeader(before.jwt)).toMatchObject({ alg: 'HS256' })
      serve(legacy('previously_used'), { ...keyed[alg], status: 'in_use' })
      expect((await before.client.auth.getUser()).data.user).not.toBeNull()
      const refreshed = await before.client.auth.refreshSession()
      const jwt = refreshed.data.session?.access_token ?? ''
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg, kid: `the ${alg} key`, typ: 'JWT' })
      expect((await before.client.from('mine').select()).error).toBeNull()
      const kid = () => before.client.auth.getClaims(jwt).then(({ data }) => data?.header.kid)
      if (verified === 'not at all') await expect(kid()).rejects.toThrow('Invalid alg claim')
      else expect(await kid()).toBe(`the ${alg} key`)

      // The secret is revoked: what it had signed is worth nothing any more, the rest goes on.
      serve({ ...keyed[alg], status: 'in_use' })
      expect(await answers(before.jwt)).toEqual(refused)
      expect((await ask('/rest/v1/mine', jwt)).status).toBe(200)
      expect((await ask('/auth/v1/user', jwt)).status).toBe(200)
    },
  )
})

test('public keys are published, and shared secrets never', async () => {
  const read = async () => {
    const response = await fetch(`${plane.url}/auth/v1/.well-known/jwks.json`)
    expect(response.headers.get('cache-control')).toBe('public, max-age=600')
    return response.text()
  }
  const { keys } = JSON.parse(await read()) as { keys: { kid: string; alg: string }[] }
  expect(keys.map(({ kid }) => kid)).toEqual(['the RS256 key', 'the ES256 key', 'the EdDSA key'])
  const text = await read()
  for (const { jwk } of [legacy(), ...Object.values(keyed)])
    for (const field of ['d', 'p', 'k'])
      if (typeof jwk[field] === 'string') expect(text).not.toContain(jwk[field])
  serve(legacy(), keyed.HS256)
  expect(JSON.parse(await read())).toEqual({ keys: [] })
})
