import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { assuranceOf, storedSession } from './stored-session.ts'

const kept = new Map<string, string>()
const key = 'plinth.session'
const now = Date.UTC(2026, 0, 1)
const user = { id: 'u1', factors: [] as { status: string }[] }
const tokenOf = (claims: object) =>
  `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
const session = (ends: number, more: object = {}) => ({
  access_token: tokenOf({ aal: 'aal1' }),
  refresh_token: 'r',
  expires_at: now / 1000 + ends,
  user,
  ...more,
})

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: (name: string) => kept.get(name) ?? null })
})
afterEach(() => {
  kept.clear()
  vi.unstubAllGlobals()
})

test('a session that lasts is used as it is', () => {
  kept.set(key, JSON.stringify(session(91)))
  expect(storedSession(key, now)?.user.id).toBe('u1')
})

test('one that ends within the time that the client refreshes in is not', () => {
  kept.set(key, JSON.stringify(session(90)))
  expect(storedSession(key, now)).toBeUndefined()
})

test.each([
  ['nothing', undefined],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a text', '"x"'],
  ['no token', JSON.stringify(session(600, { access_token: undefined }))],
  ['no refresh token', JSON.stringify(session(600, { refresh_token: undefined }))],
  ['an end that is no number', JSON.stringify(session(600, { expires_at: 'later' }))],
  ['no person', JSON.stringify(session(600, { user: null }))],
])('%s is left to the client', (_, text) => {
  if (text !== undefined) kept.set(key, text)
  expect(storedSession(key, now)).toBeUndefined()
})

test('a browser without storage leaves it to the client, too', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('storage is switched off')
    },
  })
  expect(storedSession(key, now)).toBeUndefined()
})

test.each([
  ['aal1', [], { shown: false, owned: false }],
  ['aal1', ['unverified'], { shown: false, owned: false }],
  ['aal1', ['unverified', 'verified'], { shown: false, owned: true }],
  ['aal2', ['verified'], { shown: true, owned: true }],
])('%s with factors %j is %j', (aal, states, expected) => {
  const factors = states.map((status) => ({ status }))
  kept.set(
    key,
    JSON.stringify(
      session(600, { access_token: tokenOf({ aal, name: 'Žoë…' }), user: { ...user, factors } }),
    ),
  )
  const stored = storedSession(key, now)
  expect(stored && assuranceOf(stored)).toEqual(expected)
})
