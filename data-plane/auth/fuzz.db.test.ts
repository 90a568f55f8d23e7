import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeoutOf, runsOr } from '#kit/testing/runs'
import { routesOf } from './routes.ts'
import {
  newEmail,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../testing/auth/server.ts'

/** Whatever is sent to the auth service, it answers with what is wrong with it. */
let server: TestServer
let tenant: TestTenant
let users: string[]
beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('fuzzed', {
    mailerAutoconfirm: true,
    anonymousEnabled: true,
  })
  users = await Promise.all(
    [1, 2].map(async () => {
      const answer = await tenant.call('POST', '/signup', {
        email: newEmail(),
        password: 'Str0ng-enough!',
      })
      // Its shape is the client library's contract, tested with the library.
      return ((await answer.json()) as { access_token: string }).access_token
    }),
  )
  expect(users.every((token) => typeof token === 'string')).toBe(true)
})
afterAll(() => server.close())

const nasty = fc.constantFrom(
  '',
  '\0',
  'a\0b',
  '\ud800',
  "'; drop table auth.users; --",
  '00000000-0000-4000-8000-000000000000',
  'not-a-uuid',
  'a@example.com',
  'A@EXAMPLE.COM\n',
  '+491512345678',
  '000000',
  '%',
  '../../x',
  'http://localhost:3000/x',
  'javascript:alert(1)',
  'https://user@evil.example',
  'null',
  '99999999999999999999',
  '-1',
  'infinity',
  '1h',
  'x'.repeat(300),
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 20 }))
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e300, [], {}, [null], { a: { b: [] } }, [
    'email',
  ]),
  fc.jsonValue({ maxDepth: 2 }),
)
const words =
  `email phone password token token_hash type code code_verifier code_challenge code_challenge_method auth_code
  refresh_token id_token provider access_token nonce factor_id challenge_id factor_type friendly_name create_user data
  gotrue_meta_security user_metadata app_metadata ban_duration redirect_to email_confirm role id chain message signature
  client_id client_secret grant_type scope scopes redirect_uri redirect_uris response_type state channel current_password
  email_change_token_new page per_page filter sort_by name identifier issuer user_id should_soft_delete web_authn credential
  domains metadata_xml metadata_url attribute_mapping RelayState SAMLResponse flow_type invite_token skip_http_redirect`.split(
    /\s+/,
  )
const object = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, text),
  value,
  { maxKeys: 6 },
)
const kinds = fc.constantFrom(
  'password',
  'refresh_token',
  'id_token',
  'pkce',
  'web3',
  'nope',
  'signup',
  'recovery',
  'email',
  'sms',
  'totp',
  'phone',
  'webauthn',
  'github',
)
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(object, kinds)
      .map(([fields, type]) => JSON.stringify({ type, factor_type: type, ...fields })),
  },
  fc.json(),
  fc.string(),
  fc.constant(undefined),
)
const query = fc
  .tuple(kinds, fc.dictionary(fc.constantFrom(...words), text, { maxKeys: 4 }))
  .map(([type, fields]) =>
    new URLSearchParams({
      grant_type: type,
      type,
      provider: type,
      ...wellFormed(fields),
    }).toString(),
  )
/** A query cannot be made of half a character, which no client can send. */
const wellFormed = (fields: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, one.replaceAll(/\p{Cs}/gu, '?')]),
  )
const segment = fc
  .oneof(nasty, fc.constantFrom('oidc', 'github', 'custom'))
  .map((one) => encodeURIComponent(one.replaceAll(/\p{Cs}/gu, '?')) || '-')
const header = fc.string({ unit: 'grapheme-ascii', maxLength: 12 })
const types = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=x',
  'text/plain',
  'application/x-www-form-urlencoded',
  'nope',
)

const runs = runsOr(250)

test(
  'no request makes a server error',
  async () => {
    const { routes, formRoutes } = routesOf(server.auth)
    const bearers = (garbage: string) => [
      ...users,
      tenant.serviceKey,
      tenant.anonKey,
      garbage,
      `${users[0] ?? ''}x`,
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes, ...formRoutes),
        fc.array(segment, { minLength: 4, maxLength: 4 }),
        query,
        body,
        types,
        fc.nat(5),
        header,
        async ({ method, url }, segments, search, sent, type, who, garbage) => {
          let at = 0
          const path = url.replaceAll(/:\w+|\*/g, () => segments[at++ % 4] ?? '-')
          // Who has signed out is let in nowhere, so everything behind would go untried.
          const bearer = bearers(garbage)[url === '/logout' ? 5 : who] ?? ''
          const sends = method !== 'GET' && sent !== undefined ? sent : undefined
          const response = await tenant.call(method, `${path}?${search}`, sends, {
            'content-type': type,
            authorization: `Bearer ${bearer}`,
            'x-forwarded-for': garbage,
            'user-agent': garbage,
            'x-supabase-api-version': garbage,
          })
          const output = await response.text()
          expect(
            response.status,
            `${method} ${path}?${search} ${type} ${sent} ${output}`,
          ).toBeLessThan(500)
        },
      ),
      { numRuns: runs },
    )
  },
  timeoutOf(runs),
)
