import { expect, test } from 'vitest'
import { accessTokenPattern } from '#contract/people/access-tokens'
import { aliasOf, hashOf, newAccessToken } from './tokens.ts'

test('a token has the form that command line tools ask for, and is never the same', () => {
  const tokens = new Set(Array.from({ length: 1000 }, newAccessToken))
  expect(tokens.size).toBe(1000)
  for (const token of tokens) expect(token).toMatch(accessTokenPattern)
})

test('its alias shows 8 of its 40 characters, its hash none', () => {
  const token = `sbp_${'0123456789'.repeat(4)}`
  expect(aliasOf(token)).toBe('sbp_0123...6789')
  expect(hashOf(token)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashOf(token)).not.toContain(token.slice(4, 12))
})
