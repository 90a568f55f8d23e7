import { createHash } from 'node:crypto'
import { decodeProtectedHeader, SignJWT, UnsecuredJWT, type JWTHeaderParameters } from 'jose'
import { expect, test } from 'vitest'
import { purposeKey, signAccessToken, verifiedRole, verifyAccessToken } from './jwt.ts'

const jwt = {
  secret: 'a secret that is long enough to sign',
  issuer: 'http://localhost:8001/abc/auth/v1',
  expirySeconds: 60,
  audience: 'authenticated',
}
const claims = {
  sub: '6f0c9be4-2f5c-4f1f-9a55-7f0c2d1b8e11',
  session_id: 'c0a8b1de-49b5-4d4a-9f2b-0f6c1c6f6a55',
  role: 'authenticated',
  aal: 'aal1',
}
const now = new Date('2026-01-01T00:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const key = new TextEncoder().encode(jwt.secret)
const full = { ...claims, iss: jwt.issuer, aud: jwt.audience, iat: 1767225600, exp: 1767225660 }
const forge = (payload: object, header: JWTHeaderParameters, secret = key) =>
  new SignJWT({ ...payload }).setProtectedHeader(header).sign(secret)

test('a signed token verifies until it expires', async () => {
  const { token, expiresAt } = await signAccessToken(jwt, claims, now)
  expect(expiresAt).toBe(now.getTime() / 1000 + 60)
  expect(await verifyAccessToken(jwt, token, later(59))).toMatchObject(claims)
  await expect(verifyAccessToken(jwt, token, later(61))).rejects.toMatchObject({ code: 'bad_jwt' })
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'JWT' })
})

const forgeries: [string, () => Promise<string> | string][] = [
  ['nonsense', () => 'a.b.c'],
  ['an empty text', () => ''],
  ['no signature', () => new UnsecuredJWT(full).encode()],
  ['another secret', () => forge(full, { alg: 'HS256' }, new TextEncoder().encode('x'.repeat(32)))],
  ['another algorithm of the same secret', () => forge(full, { alg: 'HS512' })],
  ['a key id we do not know', () => forge(full, { alg: 'HS256', kid: 'other' })],
  ['a key it brings along', () => forge(full, { alg: 'HS256', kid: 'x', jwk: { kty: 'oct' } })],
  ['another issuer', () => forge({ ...full, iss: 'http://evil' }, { alg: 'HS256' })],
  ['another audience', () => forge({ ...full, aud: 'other' }, { alg: 'HS256' })],
  ['no expiry', () => forge({ ...full, exp: undefined }, { alg: 'HS256' })],
  ['no session', () => forge({ ...full, session_id: undefined }, { alg: 'HS256' })],
  ['no user', () => forge({ ...full, sub: undefined }, { alg: 'HS256' })],
  ['a user that is no id', () => forge({ ...full, sub: "' or 1=1" }, { alg: 'HS256' })],
]
test.each(forgeries)('%s is refused', async (_, make) => {
  const token = await make()
  await expect(verifyAccessToken(jwt, token, now)).rejects.toMatchObject({
    code: 'bad_jwt',
    status: 403,
  })
})

test('without a key id the shared secret is tried, as older tools sign', async () => {
  expect(await verifyAccessToken(jwt, await forge(full, { alg: 'HS256' }), now)).toMatchObject(
    claims,
  )
})

test('an API key has a role and needs no audience, but a signature and an expiry', async () => {
  const api = { role: 'service_role', iss: 'plinth', exp: full.exp }
  expect(await verifiedRole(jwt, await forge(api, { alg: 'HS256' }), now)).toBe('service_role')
  expect(
    await verifiedRole(jwt, await forge({ exp: full.exp, role: 1 }, { alg: 'HS256' }), now),
  ).toBe('')
  await expect(verifiedRole(jwt, await forge(api, { alg: 'HS256' }), later(61))).rejects.toThrow()
  const eternal = await forge({ role: 'service_role' }, { alg: 'HS256' })
  await expect(verifiedRole(jwt, eternal, now)).rejects.toMatchObject({ code: 'bad_jwt' })
})

test('derived keys differ by purpose and tenant, and do not show the secret', () => {
  const other = { ...jwt, secret: 'another secret that is long enough' }
  const keys = [purposeKey(jwt, 'a'), purposeKey(jwt, 'b'), purposeKey(other, 'a')].map(String)
  expect(new Set(keys).size).toBe(3)
  expect(purposeKey(jwt, 'a')).toEqual(purposeKey({ ...jwt }, 'a'))
  expect(keys).not.toContain(String(createHash('sha256').update(jwt.secret).digest()))
})
