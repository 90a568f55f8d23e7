import { expect, test } from 'vitest'
import { isAcceptable, passwordRules } from './PasswordRules.tsx'

const broken = (password: string) =>
  passwordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.id)

test('one of each kind and 8 characters', () => {
  expect(isAcceptable('Granite-7')).toBe(true)
})

test.each([
  ['granite-7', ['upper']],
  ['GRANITE-7', ['lower']],
  ['Granite-x', ['digit']],
  ['Granite77', ['special']],
  ['Granite 77', ['special']],
  ['Gran-7', ['length']],
  [`Granite-7${'x'.repeat(64)}`, ['bytes']],
  ['', ['upper', 'lower', 'digit', 'special', 'length']],
])('%j breaks %j', (password, rules) => {
  expect(broken(password)).toEqual(rules)
})

test('72 bytes are the end, however few characters they are', () => {
  expect(isAcceptable(`Aa1!${'x'.repeat(68)}`)).toBe(true)
  expect(broken(`Aa1!${'ä'.repeat(35)}`)).toEqual(['bytes'])
})
