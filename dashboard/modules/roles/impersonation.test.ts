import { expect, test } from 'vitest'
import {
  asInput,
  claimsFrom,
  impersonationFrom,
  keyClaims,
  nameOf,
  outsideClaims,
  userClaims,
} from './impersonation.ts'

const token = {
  issuer: 'http://localhost:8001/abc/auth/v1',
  now: new Date('2026-01-01T00:00:00.900Z'),
  sessionId: 's',
  aal: 'aal1',
} as const
const at = 1_767_225_600
const user = {
  id: 'u',
  email: 'ada@example.com',
  phone: null,
  is_anonymous: false,
  app_metadata: { provider: 'email' },
  user_metadata: { name: 'Ada' },
}

test("a user's token has every claim of a real one", () => {
  const claims = userClaims(user, token)
  expect(Object.keys(claims).toSorted()).toEqual(
    (
      'aal amr app_metadata aud email exp iat is_anonymous iss phone role session_id sub ' +
      'user_metadata'
    ).split(' '),
  )
  expect(claims).toMatchObject({
    sub: 'u',
    role: 'authenticated',
    aud: 'authenticated',
    amr: [{ method: 'password', timestamp: at }],
    iat: at,
    exp: at + 3600,
    phone: '',
    app_metadata: { provider: 'email' },
  })
})

test('a second factor shows in the level and in the methods', () => {
  expect(userClaims(user, { ...token, aal: 'aal2' })).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'password' }, { method: 'totp' }],
  })
})

test('what another system says takes the place of ours, but not whom it speaks of', () => {
  const claims = outsideClaims('them', { email: 'x@y.z', team: [1], sub: 'not them' }, token)
  expect(claims).toMatchObject({ sub: 'them', email: 'x@y.z', team: [1], aud: 'authenticated' })
})

test('keys are no users', () => {
  expect(keyClaims('anon', token)).toEqual({
    iss: token.issuer,
    role: 'anon',
    iat: at,
    exp: at + 3600,
  })
})

test('everybody has a name', () => {
  expect(nameOf(user)).toBe('ada@example.com')
  expect(nameOf({ ...user, email: null, phone: '49' })).toBe('49')
  expect(nameOf({ ...user, email: '', is_anonymous: true, id: '12345678-9' })).toBe(
    'Anonymous 12345678',
  )
  expect(nameOf({ ...user, email: null })).toBe('u')
})

test('only an object is claims', () => {
  expect(claimsFrom('')).toEqual({})
  expect(claimsFrom(' {"a": [1]} ')).toEqual({ a: [1] })
  for (const text of ['[1]', 'null', '1', '{', '"a"']) expect(claimsFrom(text)).toBeUndefined()
})

test('an address may hold anything', () => {
  const good = { role: 'anon', claims: { a: 1 }, label: 'Anon' }
  expect(impersonationFrom(good)).toEqual(good)
  expect(impersonationFrom({ role: 'anon', claims: {} })).toMatchObject({ label: 'anon' })
  for (const bad of [undefined, null, 'anon', [], {}, { role: 1, claims: {} }, { role: 'a' }]) {
    expect(impersonationFrom(bad)).toBeUndefined()
  }
  expect(asInput(undefined)).toEqual({})
  expect(asInput(good)).toEqual({ as: { role: 'anon', claims: { a: 1 } } })
})
