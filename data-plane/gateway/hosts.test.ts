import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { hostRewriter } from './hosts.ts'

const ref = 'abcdefghijklmnopqrst'
const rewrite = (template: string, host: string, url = '/rest/v1/x?a=%2520b') =>
  // Only these two fields are read.
  hostRewriter(template)({ url, headers: { host } } as IncomingMessage)

test.each([
  ['https://{ref}.example.com', `${ref}.example.com`],
  ['https://{ref}.example.com', `${ref.toUpperCase()}.Example.com:443`],
  ['http://api-{ref}.example.com:8001', `api-${ref}.example.com:8001`],
])('%s at %s is a project', (template, host) => {
  expect(rewrite(template, host)).toBe(`/${ref}/rest/v1/x?a=%2520b`)
})

test.each([
  ['https://{ref}.example.com', 'example.com'],
  ['https://{ref}.example.com', `${ref}.example.org`],
  ['https://{ref}.example.com', `x.${ref}.example.com`],
  ['https://{ref}.example.com', 'short.example.com'],
  ['https://{ref}.example.com', 'short.functions.example.com'],
  ['https://{ref}.example.com', `${ref}.others.example.com`],
  ['https://{ref}.example.com', ''],
])('%s at %s is none', (template, host) => {
  expect(rewrite(template, host)).toBe('/rest/v1/x?a=%2520b')
})

test.each([
  ['https://{ref}.example.com', `${ref}.functions.example.com`],
  ['http://api-{ref}.example.com:8001', `API-${ref}.functions.example.com:8001`],
])('%s at %s calls functions', (template, host) => {
  expect(rewrite(template, host, '/hello/a?b=1')).toBe(`/${ref}/functions/v1/hello/a?b=1`)
})

test.each(['http://localhost:8001/{ref}', undefined])('%s needs no rewriting', (template) => {
  const request = { url: '/rest/v1/x', headers: { host: 'localhost:8001' } } as IncomingMessage
  expect(hostRewriter(template)(request)).toBe('/rest/v1/x')
})

test.each(['http://localhost:8001/{ref}', 'https://{ref}.example.com'])(
  'by a name of its own only its project is reached: %s',
  (template) => {
    const named = (host: string) => (host === 'api.acme.org' ? ref : undefined)
    const at = (host: string, url: string) =>
      hostRewriter(template, named)({ url, headers: { host } } as IncomingMessage)
    for (const host of ['api.acme.org', 'API.Acme.org:8001', 'api.acme.org.'])
      expect(at(host, '/rest/v1/x?a=%2520b')).toBe(`/${ref}/rest/v1/x?a=%2520b`)
    const other = 'b'.repeat(20)
    expect(at('api.acme.org', `/${other}/rest/v1/x`)).toBe(`/${ref}/${other}/rest/v1/x`)
    expect(at('api.acme.org', '/internal/pg-meta')).toBe(`/${ref}/internal/pg-meta`)
    for (const host of ['acme.org', 'x.api.acme.org', 'api.acme.org.evil.com'])
      expect(at(host, '/rest/v1/x')).toBe('/rest/v1/x')
  },
)
