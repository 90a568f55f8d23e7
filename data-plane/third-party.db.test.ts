import { createHmac } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServedThirdParty } from '#contract/internal'
import { issuerKey, signedBy, startIssuer, type Issuer } from '#kit/testing/issuer'
import { bearerCalls } from './testing/bearer.ts'
import { startDataPlane, type TestDataPlane } from './testing/data-plane.ts'

/** Tokens of other issuers, as clients of a running project send them. */
let plane: TestDataPlane
let issuer: Issuer
const key = issuerKey('ES256', 'first')
const others = { RS256: issuerKey('RS256'), EdDSA: issuerKey('EdDSA') }
const alone = issuerKey('ES256', 'alone')

beforeAll(async () => {
  const setup = `
    create table mine (id int primary key, owner text);
    insert into mine values (1, 'alice'), (2, 'bob');
    alter table mine enable row level security;
    create policy own on mine to authenticated using (owner = (select auth.jwt() ->> 'sub'));
    create function who() returns text language sql stable as 'select current_user::text'`
  issuer = await startIssuer()
  plane = await startDataPlane(setup, {}, undefined, { reachesLoopback: true })
})
afterAll(async () => {
  await plane?.close()
  await issuer?.close()
})

let made = 0
const party = (more: Partial<ServedThirdParty> = {}): ServedThirdParty => ({
  id: `integration ${(made += 1)}`,
  issuer: issuer.url,
  audience: null,
  jwksUrl: null,
  isFixed: false,
  jwks: { keys: [key.publicJwk] },
  readAt: Date.now(),
  ...more,
})
/** The project takes these from now on, as a running data plane hears it. */
const serve = (...thirdPartyAuth: ServedThirdParty[]) =>
  plane.directory.put({ ...plane.project, thirdPartyAuth })
beforeEach(() => {
  Object.assign(issuer, { name: undefined, status: undefined })
  issuer.keys = [key.publicJwk, others.RS256.publicJwk, others.EdDSA.publicJwk]
  issuer.asked.length = 0
  serve(party())
})

const claims = (more: object = {}) => ({
  iss: issuer.url,
  sub: 'alice',
  role: 'authenticated',
  ...more,
})
const { ask, answers } = bearerCalls(() => plane)
const accepted = [200, 200, 'bad_jwt']
const refused = [401, 401, 'bad_jwt']

describe('refused by every service', () => {
  const stranger = issuerKey('ES256', 'first')
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
  const forged = (secret: string | Buffer) => {
    const [header, payload] = signedBy(key, claims(), { alg: 'HS256' }).split('.')
    const text = `${header}.${payload}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const past = Math.floor(Date.now() / 1000) - 60
  test.each<[string, () => string]>([
    ['a key of somebody else by the same name', () => signedBy(stranger, claims())],
    ['a key that nobody knows', () => signedBy(issuerKey(), claims())],
    ['a key without its name', () => signedBy(key, claims(), { kid: undefined })],
    ['a key that the token brings along', () => signedBy(stranger, claims(), { jwk: stranger })],
    ['keys elsewhere', () => signedBy(stranger, claims(), { jku: `${issuer.url}/keys` })],
    ['no signature', () => signedBy(key, claims(), { alg: 'none' }).replace(/[^.]*$/, '')],
    ['the public key as a secret', () => forged(pem)],
    ['the project’s secret in its place', () => forged(plane.project.jwtSecret)],
    ['an algorithm that the key is not for', () => signedBy(key, claims(), { alg: 'RS256' })],
    ['another issuer', () => signedBy(key, claims({ iss: 'https://elsewhere.example.com' }))],
    ['no issuer', () => signedBy(key, claims({ iss: undefined }))],
    ['the project as issuer', () => signedBy(key, claims({ iss: `${plane.project.url}/auth/v1` }))],
    ['a token that has expired', () => signedBy(key, claims({ exp: past }))],
    ['a token for ever', () => signedBy(key, claims({ exp: undefined }))],
    ['one for later', () => signedBy(key, claims({ nbf: past + 600 }))],
    ['the role that passes by all policies', () => signedBy(key, claims({ role: 'service_role' }))],
    ['a role that is no text', () => signedBy(key, claims({ role: ['authenticated'] }))],
  ])('%s', async (_, make) => {
    expect(await answers(make())).toEqual(refused)
  })
})

test.each([key, others.RS256, others.EdDSA])('a key for $kind is taken', async (one) => {
  expect(await answers(signedBy(one, claims()))).toEqual(accepted)
})

test('the database knows the user by the claims, and without a role it is anon', async () => {
  const rows = await ask('/rest/v1/mine?select=id', signedBy(key, claims()))
  expect(await rows.json()).toEqual([{ id: 1 }])
  const who = (more: object) =>
    ask('/rest/v1/rpc/who', signedBy(key, claims(more))).then((answer) => answer.json())
  expect(await who({})).toBe('authenticated')
  expect(await who({ role: undefined })).toBe('anon')
  expect(await who({ role: 'postgres' })).toMatchObject({ code: expect.any(String) })
})

test('the public client takes the token of the other service as its own', async () => {
  const client = createClient(plane.url, plane.project.anonKey, {
    accessToken: async () => signedBy(key, claims({ sub: 'bob' })),
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
  expect(await client.from('mine').select()).toMatchObject({ data: [{ id: 2, owner: 'bob' }] })
})

test('an integration counts at once, and ends at once, also for what was remembered', async () => {
  const token = signedBy(key, claims())
  expect(await answers(token)).toEqual(accepted)
  serve()
  expect(await answers(token)).toEqual(refused)
  serve(party())
  expect(await answers(token)).toEqual(accepted)
})

test('what is for one audience is not for another, though the keys are the same', async () => {
  const [mine, theirs] = [{ aud: ['other', 'mine'] }, { aud: 'theirs' }].map((aud) =>
    signedBy(key, claims(aud)),
  )
  serve(party({ audience: 'theirs' }))
  expect(await answers(theirs ?? '')).toEqual(accepted)
  serve(party({ audience: 'mine' }))
  expect(await answers(theirs ?? '')).toEqual(refused)
  expect(await answers(mine ?? '')).toEqual(accepted)
  expect(await answers(signedBy(key, claims()))).toEqual(refused)
})

test('keys of one integration say nothing for another one', async () => {
  const fixed = { jwksUrl: null, isFixed: true, jwks: { keys: [alone.publicJwk] } }
  serve(party(), party({ ...fixed, issuer: 'https://two.example.com' }))
  const at = (iss: string, one: typeof key) => answers(signedBy(one, claims({ iss })))
  expect(await at('https://two.example.com/', alone)).toEqual(accepted)
  expect(await at('https://two.example.com', key)).toEqual(refused)
  expect(await at(issuer.url, alone)).toEqual(refused)
})

test('without an issuer the key decides; the keys of the project come first', async () => {
  const keys = [alone.publicJwk]
  serve(party({ issuer: null, isFixed: true, jwks: { keys } }))
  expect(await answers(signedBy(alone, claims({ iss: 'anybody' })))).toEqual(accepted)
  expect(await answers(signedBy(key, claims()))).toEqual(refused)
  const own = plane.token({ role: 'authenticated', sub: 'alice' })
  expect((await ask('/rest/v1/mine', own)).status).toBe(200)
  expect(issuer.asked).toEqual([])
})

test('a new key of the issuer is found by its name, and asked for once however many come', async () => {
  const next = issuerKey('ES256', 'next')
  issuer.keys = [key.publicJwk, next.publicJwk]
  const token = signedBy(next, claims())
  const all = await Promise.all(Array.from({ length: 5 }, () => ask('/rest/v1/mine', token)))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
  // Whoever makes up names of keys does not have us ask again for each of them.
  for (const one of [issuerKey(), issuerKey()])
    expect(await answers(signedBy(one, claims()))).toEqual(refused)
  expect(issuer.asked).toHaveLength(2)
})

test('old keys are read anew: what the issuer has taken away counts no more', async () => {
  issuer.keys = [others.RS256.publicJwk]
  serve(party({ readAt: Date.now() - 3_600_000 }))
  expect(await answers(signedBy(key, claims()))).toEqual(refused)
  expect(await answers(signedBy(others.RS256, claims()))).toEqual(accepted)
  serve(party({ readAt: Date.now() - 3_600_000, jwksUrl: `${issuer.url}/keys` }))
  expect(await answers(signedBy(others.RS256, claims()))).toEqual(accepted)
  expect(issuer.asked.at(-1)).toBe('/keys')
})

test.each([
  ['does not answer well', { status: 500 }],
  ['says that it is another one', { name: 'https://elsewhere.example.com' }],
])('while the issuer %s, what is known goes on to count, for a day', async (_, fault) => {
  Object.assign(issuer, fault)
  serve(party({ readAt: Date.now() - 3_600_000 }))
  expect(await answers(signedBy(key, claims()))).toEqual(accepted)
  serve(party({ readAt: Date.now() - 25 * 3_600_000 }))
  expect(await answers(signedBy(key, claims()))).toEqual(refused)
})
