import { expect, test } from 'vitest'
import { installationNames } from './addresses.ts'
import { isPublicName, readHostname, vanityProblem } from './names.ts'

const own = ['plinth.example.com', 'projects.example.net']
const read = (text: string) => readHostname(text, own)

test.each([
  ['', 'valid hostname'],
  ['   ', 'valid hostname'],
  ['*.acme.org', 'wildcards'],
  ['api.*.org', 'wildcards'],
  ['192.0.2.1', 'IP address'],
  ['2001:db8::1', 'IP address'],
  ['[2001:db8::1]', 'IP address'],
  ['0x7f.1', 'IP address'],
  ['0x7f000001', 'IP address'],
  ['api.127', 'IP address'],
  ['１２７.0.0.１', 'valid hostname'],
  ['https://api.acme.org', 'hostname alone'],
  ['api.acme.org/path', 'hostname alone'],
  ['api.acme.org:443', 'hostname alone'],
  ['ada@acme.org', 'hostname alone'],
  ['api.acme.org?x', 'hostname alone'],
  ['_dmarc.acme.org', 'hostname alone'],
  ['api acme.org', 'hostname alone'],
  ['acme', 'full hostname'],
  ['acme.', 'full hostname'],
  ['localhost', 'full hostname'],
  ['api..acme.org', 'valid hostname'],
  ['api.acme.org..', 'valid hostname'],
  ['.acme.org', 'valid hostname'],
  ['-api.acme.org', 'valid hostname'],
  ['api-.acme.org', 'valid hostname'],
  ['ab--cd.acme.org', 'valid hostname'],
  ['xn--a.acme.org', 'valid hostname'],
  [`${'a'.repeat(64)}.acme.org`, 'valid hostname'],
  [`${`${'a'.repeat(60)}.`.repeat(4)}acme.org`, 'up to'],
  // The second letter is Cyrillic.
  ['аcme.org', 'different scripts'],
  ['xn--cme-6cd.org', 'different scripts'],
  ['app.localhost', 'public DNS'],
  ['db.internal', 'public DNS'],
  ['printer.local', 'public DNS'],
  ['1.0.0.127.in-addr.arpa', 'public DNS'],
  ['hidden.onion', 'public DNS'],
  ['plinth.example.com', 'platform itself'],
  ['PLINTH.example.com.', 'platform itself'],
  ['api.plinth.example.com', 'platform itself'],
  ['a.b.projects.example.net', 'platform itself'],
])('%j is refused: %s', (text, words) => {
  expect(read(text)).toEqual({ problem: expect.stringContaining(words) })
})

test.each([
  ['api.acme.org', 'api.acme.org'],
  [' API.Acme.ORG. ', 'api.acme.org'],
  ['acme.org', 'acme.org'],
  ['bücher.example.org', 'xn--bcher-kva.example.org'],
  ['xn--bcher-kva.example.org', 'xn--bcher-kva.example.org'],
  ['日本語.jp', 'xn--wgv71a119e.jp'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['a-1.b2.co.uk', 'a-1.b2.co.uk'],
  ['notplinth.example.com', 'notplinth.example.com'],
  ['example.com', 'example.com'],
])('%j is %s', (text, name) => {
  expect(read(text)).toEqual({ name })
})

test.each([
  ['ab', 'Use 3 to 63'],
  ['a_b', 'Use 3 to 63'],
  ['Acme', 'Use 3 to 63'],
  ['-acme', 'Use 3 to 63'],
  ['acme-', 'Use 3 to 63'],
  ['xn--bcher-kva', 'Use 3 to 63'],
  ['a.b', 'Use 3 to 63'],
  ['büro', 'Use 3 to 63'],
  ['a'.repeat(64), 'Use 3 to 63'],
  ['12345', 'letter'],
  ['abcdefghijklmnopqrst', 'project references'],
  ['www', 'reserved'],
  ['admin', 'reserved'],
  ['functions', 'reserved'],
  ['plinth-team', 'reserved'],
])('the vanity subdomain %j is refused: %s', (name, words) => {
  expect(vanityProblem(name)).toContain(words)
})

test.each(['acme', 'acme-2', 'a1b', 'a'.repeat(21)])('%j can be a vanity subdomain', (name) => {
  expect(vanityProblem(name)).toBeUndefined()
})

const ref = 'abcdefghijklmnopqrst'
const base = { url: 'https://plinth.example.com', databaseHost: 'db.example.com' }

test('where each project has a name of its own, that is what names point to, and all below the domain is the platform’s', () => {
  const names = installationNames({ ...base, projectUrl: 'https://{ref}.projects.example.net' })
  expect(names.targetOf(ref)).toBe(`${ref}.projects.example.net`)
  expect(names.vanityDomain).toBe('projects.example.net')
  expect(names.own).toEqual(['projects.example.net', 'plinth.example.com', 'db.example.com'])
  expect(names.https).toBe(true)
})

test('where the ref is a part of a label there are no vanity subdomains', () => {
  const names = installationNames({ ...base, projectUrl: 'http://api-{ref}.example.net:8001' })
  expect(names.vanityDomain).toBeNull()
  expect(names.own).toContain('example.net')
  expect(names.https).toBe(false)
})

test('where projects share a name, that is what names point to', () => {
  const names = installationNames({ ...base, projectUrl: 'https://api.example.com/{ref}' })
  expect(names.targetOf(ref)).toBe('api.example.com')
  expect(names.vanityDomain).toBeNull()
  expect(names.own).toContain('api.example.com')
})

test('without a public name there is nothing to point to, unless the operator says so', () => {
  for (const projectUrl of [
    'http://localhost:8001/{ref}',
    'http://127.0.0.1:8001/{ref}',
    'http://plinth.local/{ref}',
    'http://{ref}.localhost:8001',
  ])
    expect(installationNames({ ...base, projectUrl }).targetOf(ref), projectUrl).toBeNull()
  const told = { ...base, projectUrl: 'http://localhost:8001/{ref}', target: 'In.Example.com' }
  expect(installationNames(told).targetOf(ref)).toBe('in.example.com')
  expect(installationNames(told).own).toContain('in.example.com')
})

test.each([
  ['localhost', false],
  ['192.0.2.1', false],
  ['a.b', true],
])('%s is a public name: %s', (name, is) => {
  expect(isPublicName(name)).toBe(is)
})
