import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { newTotpKey, stepOfCode } from './totp.ts'

const at = new Date('2026-05-01T12:00:10Z')
const step = Math.floor(at.getTime() / 30_000)
const key = await newTotpKey('Plinth', 'ada@example.com')
const codeAfter = (seconds: number) =>
  generateSync({ secret: key.secret, epoch: at.getTime() / 1000 + seconds })

test.each([
  [-60, undefined],
  [-30, step - 1],
  [0, step],
  [30, step + 1],
  [60, undefined],
])('a code of %i seconds from now is of step %j', (seconds, expected) => {
  expect(stepOfCode(key.secret, codeAfter(seconds), at, undefined)).toBe(expected)
})

test.each(['', '12345', '1234567', 'abcdef', '12 345', '１２３４５６'])('%j is no code', (text) => {
  expect(stepOfCode(key.secret, text, at, undefined)).toBeUndefined()
})

test('a code of a step that was used, or of one before it, does not work', () => {
  expect(stepOfCode(key.secret, codeAfter(0), at, step)).toBeUndefined()
  expect(stepOfCode(key.secret, codeAfter(-30), at, step)).toBeUndefined()
  expect(stepOfCode(key.secret, codeAfter(30), at, step)).toBe(step + 1)
})

test('the code of another secret does not work', async () => {
  const other = await newTotpKey('Plinth', 'ada@example.com')
  expect(stepOfCode(other.secret, codeAfter(0), at, undefined)).toBeUndefined()
})

test('the picture survives behind a data address', () => {
  expect(key.picture).toMatch(/^<svg[^#]*<\/svg>\s*$/)
  expect(key.uri).toBe(`otpauth://totp/Plinth:ada%40example.com?secret=${key.secret}&issuer=Plinth`)
  // 160 bits, as RFC 4226 asks for.
  expect(key.secret).toMatch(/^[A-Z2-7]{32}$/)
})
