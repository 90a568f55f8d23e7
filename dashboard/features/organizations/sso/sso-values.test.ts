import { expect, test } from 'vitest'
import { sso, type SsoSettings } from '#contract/organizations/sso'
import { domainsIn, inputOf, valuesOf } from './sso-values.ts'

const nothing: SsoSettings = {
  service: { entity_id: 'a', acs_url: 'b', metadata_url: 'c', redirect_uri: 'd' },
  provider: null,
  domains: [],
}

test.each([
  ['acme.com', ['acme.com']],
  ['Acme.com, acme.de;x.org\n acme.com', ['acme.com', 'acme.de', 'x.org']],
  [' , ', []],
])('%j names %j', (text, domains) => {
  expect(domainsIn(text)).toEqual(domains)
})

test('an empty form begins with SAML, and what it says is what the endpoint takes', () => {
  const values = { ...valuesOf(nothing), metadataUrl: ' https://idp/x ', domains: 'acme.com' }
  expect(values).toMatchObject({ kind: 'saml', source: 'url', enabled: true })
  const input = inputOf('acme', values)
  expect(input).toMatchObject({ saml: { metadata_url: 'https://idp/x' }, domains: ['acme.com'] })
  expect(input.oidc).toBeUndefined()
  expect(sso.create.input.safeParse(input).success).toBe(true)
})

test('only the chosen source is sent', () => {
  const both = { ...valuesOf(nothing), metadataUrl: 'https://idp/x', metadataXml: '<a/>' }
  expect(inputOf('a', { ...both, source: 'xml' }).saml).toMatchObject({
    metadata_url: undefined,
    metadata_xml: '<a/>',
  })
})

test('a secret that is not typed is not sent', () => {
  const values = { ...valuesOf(nothing), kind: 'oidc' as const, issuer: 'https://i', clientId: 'c' }
  expect(inputOf('a', values).oidc).toEqual({
    issuer: 'https://i',
    client_id: 'c',
    client_secret: undefined,
  })
})
