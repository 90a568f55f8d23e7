import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ProjectConnection } from '#contract/internal'
import { keySetOf } from '#kit/jwt-key-set'
import { signToken } from '../testing/data-plane.ts'
import { keyOf, identityOf, type Verify } from './keys.ts'
import { KeyError } from './problems.ts'
import { createTokens } from './tokens.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const project = ProjectConnection.parse({
  ref: 'abcdefghijklmnopqrst',
  status: 'ACTIVE_HEALTHY',
  database: { host: '/s', port: 5432, servicePassword: 'x' },
  jwtSecret: 'x'.repeat(40),
  sealingKey: '0'.repeat(64),
  anonKey: 'anon-key',
  serviceKey: 'service-key',
  opaqueKeys: [
    { sha256: hash('sb_publishable_a'), role: 'anon' },
    { sha256: hash('sb_secret_b'), role: 'service_role' },
  ],
  url: 'http://x',
  settings: {},
})
const optional = { ...project, settings: { ...project.settings, keyOptional: true } }
const tokens = createTokens()
const verify: Verify = (own, token) => tokens.verify(token, keySetOf(own))
const shown = (apikey?: string, authorization?: string) => ({ apikey, authorization })

describe('a key', () => {
  test.each([
    [shown('anon-key'), 'anon'],
    [shown('service-key'), 'service_role'],
    [shown('sb_publishable_a'), 'anon'],
    [shown('sb_secret_b'), 'service_role'],
    [shown(undefined, 'Bearer sb_secret_b'), 'service_role'],
    [shown('sb_publishable_a', 'bearer sb_publishable_a'), 'anon'],
  ])('%o', (presented, role) => {
    expect(keyOf(project, presented, verify).role).toBe(role)
  })

  test.each([
    [shown(), 'No API key found in request'],
    [shown(''), 'No API key found in request'],
    [shown(undefined, 'Bearer anon-key'), 'No API key found in request'],
    [shown('foo'), 'Invalid API key'],
    [shown('anon-ke'), 'Invalid API key'],
    [shown('anon-keyy'), 'Invalid API key'],
    [shown('sb_publishable_x'), 'Invalid API key'],
    [shown('sb_publishable_a', 'Bearer sb_secret_x'), 'Invalid API key'],
  ])('%o is refused', (presented, message) => {
    expect(() => keyOf(project, presented, verify)).toThrow(message)
  })

  test('an empty key of the project opens nothing', () => {
    expect(() => keyOf({ ...project, anonKey: '' }, shown(''), verify)).toThrow(KeyError)
  })

  test('may be missing or unknown where the project says so, but a wrong secret key is wrong', () => {
    expect(keyOf(optional, shown(), verify).role).toBe('anon')
    expect(keyOf(optional, shown('foo'), verify).role).toBe('anon')
    expect(() => keyOf(optional, shown('foo', 'Bearer sb_secret_x'), verify)).toThrow(
      'Invalid API key',
    )
  })
})

describe('what somebody has signed by a key of the project', () => {
  const signed = (claims: object, secret = project.jwtSecret) => {
    const exp = Math.floor(Date.now() / 1000) + 3600
    return signToken({ exp, iss: 'supabase', ref: 'zyxwvutsrqponmlkjihg', ...claims }, secret)
  }

  test.each(['anon', 'service_role'] as const)('is a key of the role %s', (role) => {
    const token = signed({ role })
    const key = keyOf(project, shown(token), verify)
    expect(key).toMatchObject({ role, token })
    expect(identityOf(project, key, undefined, verify).role).toBe(role)
  })

  test.each([
    ['of a user', signed({ role: 'authenticated', sub: 'x' })],
    ['of no role', signed({})],
    ['by another secret', signed({ role: 'service_role' }, 'y'.repeat(40))],
    ['that has expired', signed({ role: 'service_role', exp: 1000 })],
    ['without its signature', signed({ role: 'service_role' }).replace(/[^.]*$/, '')],
  ])('is none %s', (_name, token) => {
    expect(() => keyOf(project, shown(token), verify)).toThrow('Invalid API key')
  })

  test('opens nothing where legacy keys are disabled', () => {
    const disabled = { ...project, legacyKeysDisabledAt: '2026-01-02T03:04:05.000Z' }
    expect(() => keyOf(disabled, shown(signed({ role: 'anon' })), verify)).toThrow(
      'Legacy API keys are disabled',
    )
  })
})

test('the identity is the bearer token, else the key; an opaque bearer is never read as a token', () => {
  const key = keyOf(project, shown('sb_publishable_a'), verify)
  const roleOf = (authorization?: string) => identityOf(project, key, authorization, verify).role
  expect(roleOf()).toBe('anon')
  expect(roleOf('Basic abc')).toBe('anon')
  expect(roleOf('Bearer sb_secret_b')).toBe('service_role')
  expect(() => roleOf('Bearer x')).toThrow('Expected 3 parts')
  expect(() => roleOf('Bearer ')).toThrow('Empty JWT')
})
