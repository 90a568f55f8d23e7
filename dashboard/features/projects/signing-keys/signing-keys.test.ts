import { expect, test } from 'vitest'
import { lifetimeWords } from './key-words.ts'
import { readKeyText } from './NewKeyDialog.tsx'

test.each([
  ['ES256', '', 'Enter the key'],
  ['ES256', 'MIIEvQ', 'Not a JWK'],
  ['ES256', '{"kty":', 'Not a JWK'],
  ['HS256', 'x'.repeat(31), 'at least 32'],
] as const)('%s of %o is refused', (algorithm, text, message) => {
  expect(readKeyText(algorithm, text)).toEqual({ problem: expect.stringContaining(message) })
})

test('a secret may be its text, byte for byte, and any key a JWK', () => {
  const secret = `${'ä?>~'.repeat(10)}`
  const read = readKeyText('HS256', ` ${secret}\n`)
  const k = 'jwk' in read ? String(read.jwk['k']) : ''
  expect(Buffer.from(k, 'base64url').toString()).toBe(secret)
  expect(k).toMatch(/^[\w-]+$/)
  expect(readKeyText('ES256', ' {"kty":"EC"} ')).toEqual({ jwk: { kty: 'EC' } })
})

test.each([
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [172_800, '2 days'],
  [61, '61 seconds'],
])('%i seconds are %s', (seconds, words) => {
  expect(lifetimeWords(seconds)).toBe(words)
})
