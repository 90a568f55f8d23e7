import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { signToken } from '../../testing/data-plane.ts'
import { createPlainDatabase, jwtSecret, startAlone } from '../../testing/rest/alone.ts'
import type { PlainDatabase, Roles, TestAlone } from '../../testing/rest/alone.ts'

let plain: PlainDatabase
let roles: Roles
const running: TestAlone[] = []
beforeAll(async () => {
  plain = await createPlainDatabase(
    ({ anon }) => `
    create table books (id int primary key);
    grant select on books to ${anon};
    create function who() returns json language sql stable as $$ select json_build_object('user', current_user,
      'claims', current_setting('request.jwt.claims', true)::json) $$`,
  )
  ;({ roles } = plain)
  await plain.sql(['grant select on books to', roles.user].join(' '))
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})
afterAll(() => plain.drop())

async function start(settings: Record<string, string> = {}): Promise<TestAlone> {
  const server = await startAlone(plain, settings)
  running.push(server)
  return server
}

test('tokens that are refused', async () => {
  const { ask } = await start()
  const unknown = await ask('GET /books', { as: 'nobody_at_all' })
  expect(unknown).toMatchObject({ status: 401, json: { code: '22023' } })
  const other = { authorization: `Bearer ${signToken({ role: roles.user }, 'x'.repeat(40))}` }
  expect(await ask('GET /books', { headers: other })).toMatchObject({
    status: 401,
    json: { code: 'PGRST301' },
  })
  const old = await ask('GET /books', { as: roles.user, claims: { exp: 1 } })
  expect(old).toMatchObject({ status: 401, json: { code: 'PGRST303', message: 'JWT expired' } })
  const without = await start({ 'jwt-secret': '' })
  expect(await without.ask('GET /books', { as: roles.user })).toMatchObject({
    status: 500,
    json: { code: 'PGRST300', message: 'Server lacks JWT secret' },
  })
})

test('the audience', async () => {
  const { ask } = await start({ 'jwt-aud': 'https://shop.example' })
  const asking = (aud?: unknown) =>
    ask('GET /books', { as: roles.user, claims: aud === undefined ? {} : { aud } })
  const refused = await asking('https://other.example')
  expect(refused).toMatchObject({
    status: 401,
    json: { code: 'PGRST303', message: 'JWT not in audience' },
  })
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer error="invalid_token", error_description="JWT not in audience"',
  )
  expect((await asking(['a', 'b'])).status).toBe(401)
  expect((await asking(5)).status).toBe(401)
  for (const aud of ['https://shop.example', ['a', 'https://shop.example'], [], undefined]) {
    expect((await asking(aud)).status).toBe(200)
  }
  expect((await ask('GET /books')).status).toBe(200)
})

test('the role stands where the setting says, and the database knows it', async () => {
  const { ask } = await start({ 'jwt-role-claim-key': '.app."my roles"[1]' })
  const headers = (claims: object) => ({
    headers: { authorization: `Bearer ${signToken({ ...claims }, jwtSecret)}` },
  })
  const found = await ask('GET /rpc/who', headers({ app: { 'my roles': ['x', roles.user] } }))
  expect(found.json).toMatchObject({ user: roles.user, claims: { role: roles.user } })
  const none = await ask('GET /rpc/who', headers({ role: roles.user }))
  expect(none.json).toMatchObject({ user: roles.anon, claims: { role: roles.anon } })
})

test('a public key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256' }
  const { ask } = await start({ 'jwt-secret': JSON.stringify({ keys: [jwk] }) })
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg: 'ES256', kid: 'one' })}.${encode({ role: roles.user })}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
  const token = `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('GET /rpc/who', { headers })).json).toMatchObject({ user: roles.user })
  expect((await ask('GET /rpc/who', { as: roles.user })).status).toBe(401)
})
