import { expect, test } from 'vitest'
import { arranged, type Arrangement } from './arrangement.ts'
import { metadataFrom, providerLabel, userName, userStatus } from './user-words.ts'

const now = new Date('2026-01-02T00:00:00Z')
const user = {
  banned_until: null,
  confirmed_at: '2026-01-01T00:00:00Z',
  is_anonymous: false,
  deleted_at: null,
}

test('of everything about a user, what matters most is said', () => {
  expect(userStatus(user, now).word).toBe('Verified')
  expect(userStatus({ ...user, confirmed_at: null }, now).word).toBe('Waiting for confirmation')
  expect(userStatus({ ...user, confirmed_at: null, is_anonymous: true }, now).word).toBe(
    'Anonymous',
  )
  expect(userStatus({ ...user, banned_until: '2026-01-03T00:00:00Z' }, now).word).toBe('Banned')
  expect(userStatus({ ...user, banned_until: '2026-01-01T00:00:00Z' }, now).word).toBe('Verified')
  expect(userStatus({ ...user, deleted_at: '2026-01-01T00:00:00Z' }, now).word).toBe('Deleted')
})

test('somebody without an address has a name all the same', () => {
  const nobody = { email: null, phone: null, is_anonymous: false, id: '12345678-9' }
  expect(userName(nobody)).toBe('User 12345678')
  expect(userName({ ...nobody, phone: '49151' })).toBe('49151')
  expect(userName({ ...nobody, is_anonymous: true })).toBe('Anonymous user')
  expect(providerLabel('sso:1')).toBe('Single sign-on')
  expect(providerLabel('unheard-of')).toBe('unheard-of')
})

test.each(['', '[1]', 'null', '1', '{', '{"a":}'])('%s is no metadata', (text) => {
  expect(metadataFrom(text)).toBeUndefined()
})
test('an object is', () => expect(metadataFrom('{"a": [1]}')).toEqual({ a: [1] }))

const first: Arrangement = { order: ['a', 'b', 'c'], hidden: ['c'] }
test.each([
  [undefined, ['a', 'b', 'c'], ['c']],
  [{ order: ['c', 'a'], hidden: ['a'] }, ['c', 'a', 'b'], ['a']],
  [{ order: ['gone', 'b'], hidden: ['gone'] }, ['b', 'a', 'c'], []],
  ['nonsense', ['a', 'b', 'c'], ['c']],
  [{ order: 'x', hidden: [1] }, ['a', 'b', 'c'], []],
])('columns kept as %j are shown as far as they still are there', (kept, order, hidden) => {
  expect(arranged(kept, first)).toEqual({ order, hidden })
})
