import { expect, test } from 'vitest'
import { audienceOf, thirdPartyTypeOf } from '#contract/auth/third-party-auth'
import { parties, problemsIn, titleOf, readOtherIssuer, type OtherIssuer } from './parties.ts'

const read = (more: Partial<OtherIssuer>) =>
  readOtherIssuer({ issuer: '', source: 'issuer', address: '', keys: '', ...more })
const issuer = ' https://id.example.com '

test.each<[Partial<OtherIssuer>, object]>([
  [{ issuer }, { oidc_issuer_url: 'https://id.example.com' }],
  [
    { issuer, source: 'address', address: 'https://example.com/keys', keys: 'left over' },
    { oidc_issuer_url: 'https://id.example.com', jwks_url: 'https://example.com/keys' },
  ],
  [{ source: 'keys', keys: '{"keys": []}', address: 'left over' }, { custom_jwks: { keys: [] } }],
])('%o is sent', (entered, body) => {
  expect(read(entered)).toEqual({ body })
})

test.each<[Partial<OtherIssuer>, string]>([
  [{}, 'issuer'],
  [{ issuer: 'id.example.com' }, 'issuer'],
  [{ issuer: 'http://id.example.com', source: 'keys', keys: '{}' }, 'issuer'],
  [{ issuer, source: 'address', address: 'ftp://example.com' }, 'address'],
  [{ source: 'keys', keys: 'keys' }, 'keys'],
])('%o is not', (entered, field) => {
  expect(read(entered)).toEqual({ problems: { [field]: expect.any(String) } })
})

const filled: Record<string, Record<string, string>> = {
  firebase: { project: 'shop-1' },
  clerk: { domain: 'Clerk.example.com' },
  auth0: { tenant: 'shop', region: 'eu' },
  awsCognito: { pool: 'eu-central-1_AbC', region: 'eu-central-1' },
  workos: { issuer: 'https://api.workos.com/user_management/client_1' },
}

test.each(parties)('the form of $title makes an issuer that is known as its own', (party) => {
  const own = filled[party.type] ?? {}
  expect(problemsIn(party, own)).toEqual({})
  const issuer = party.issuerOf(own)
  expect(thirdPartyTypeOf(issuer)).toBe(party.type)
  expect(audienceOf(issuer)).toBe(party.type === 'firebase' ? 'shop-1' : null)
  expect(titleOf(party.type)).toBe(party.title)
})

test('what is missing or in another form is said at its blank; a region of Auth0 can be left out', () => {
  const problems = (type: string, own: Record<string, string>) =>
    parties.filter((party) => party.type === type).map((party) => problemsIn(party, own))[0]
  expect(problems('firebase', {})).toEqual({ project: 'Enter the Firebase project ID' })
  expect(problems('clerk', { domain: 'https://clerk.example.com' })).toHaveProperty('domain')
  expect(problems('auth0', { tenant: 'shop' })).toEqual({})
  expect(problems('auth0', { tenant: 'shop.evil.com/x' })).toHaveProperty('tenant')
  expect(problems('awsCognito', { pool: 'x/../y', region: 'eu' })).toEqual({
    pool: expect.stringContaining('region_name'),
    region: expect.stringContaining('eu-central-1'),
  })
})
