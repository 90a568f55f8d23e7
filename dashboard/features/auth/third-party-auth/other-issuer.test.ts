import { expect, test } from 'vitest'
import { readOtherIssuer, type OtherIssuer } from './other-issuer.ts'

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
