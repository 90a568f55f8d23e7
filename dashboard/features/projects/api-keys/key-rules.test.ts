import { expect, test } from 'vitest'
import { apiKeys } from '#contract/projects/api-keys'
import { descriptionProblem, keyNameProblem } from './key-rules.ts'

const ref = 'abcdefghijklmnopqrst'
const takes = (more: object) =>
  apiKeys.create.input.safeParse({ ref, type: 'secret', name: 'shop', ...more }).success

test.each([
  '',
  'abc',
  'abcd',
  'a'.repeat(64),
  'a'.repeat(65),
  'Shop',
  '1abc',
  '_abc',
  'a b c',
  'shöp',
  'a-bc',
])('the form and the server agree about the name %o', (name) => {
  expect(keyNameProblem(name) === undefined).toBe(takes({ name }))
})

test.each(['', 'x'.repeat(500), 'x'.repeat(501)])('and about descriptions', (description) => {
  expect(descriptionProblem(description) === undefined).toBe(takes({ description }))
})
