import { expect, test } from 'vitest'
import { meterThirdParty } from './active-users.ts'

test('a user of another issuer is noted once an hour for each token; tokens of nobody are not', () => {
  let now = Date.parse('2026-03-10T12:10:00Z')
  const seen: string[] = []
  const note = meterThirdParty({ seen: (...all) => void seen.push(all.join(' ')) }, () => now)
  const token = { claims: JSON.stringify({ sub: 'ada', iss: 'https://a.example' }) }
  const expected = 'abc third_party_users ["https://a.example","ada"]'
  note('abc', token)
  note('abc', token)
  note('abc', { claims: JSON.stringify({ role: 'anon' }) })
  note('abc', { claims: JSON.stringify({ sub: 7 }) })
  expect(seen).toEqual([expected])
  now += 3_600_000
  note('abc', token)
  expect(seen).toEqual([expected, expected])
})
