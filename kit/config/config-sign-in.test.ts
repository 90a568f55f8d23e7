import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const one = { name: 'acme', issuer: 'https://id.acme.example', client_id: 'a', client_secret: 'b' }
const oidc = (...list: object[]) => ({ PLINTH_OIDC_PROVIDERS: JSON.stringify(list) })

test('nothing is on by itself', () => {
  expect(readConfig({})).toMatchObject({ signInProviders: [], trustedSsoDomains: [] })
  expect(readConfig({ PLINTH_GITHUB_CLIENT_ID: 'x' }).signInProviders).toEqual([])
})

test('GitHub comes first, then the others in their order', () => {
  const github = { PLINTH_GITHUB_CLIENT_ID: 'x', PLINTH_GITHUB_CLIENT_SECRET: 'y' }
  const { signInProviders } = readConfig({ ...github, ...oidc(one, { ...one, name: 'b-2' }) })
  expect(signInProviders).toMatchObject([
    { kind: 'github', url: 'https://github.com', clientId: 'x', clientSecret: 'y' },
    { kind: 'oidc', name: 'acme', label: 'acme', scopes: ['openid', 'email', 'profile'] },
    { name: 'b-2' },
  ])
})

test.each([
  ['no JSON', { PLINTH_OIDC_PROVIDERS: '{' }],
  ['no list', { PLINTH_OIDC_PROVIDERS: '{}' }],
  ['a missing secret', oidc({ ...one, client_secret: undefined })],
  ['an unknown field', oidc({ ...one, secret: 'b' })],
  ['a name twice', oidc(one, one)],
  ['a name that means something else', oidc({ ...one, name: 'email' })],
  ['a name with blanks', oidc({ ...one, name: 'a b' })],
  ['an address that is none', { PLINTH_GITHUB_URL: 'github.com' }],
])('%s stops the start with a clear line', (_, environment) => {
  expect(() => readConfig(environment)).toThrow(ConfigError)
})
