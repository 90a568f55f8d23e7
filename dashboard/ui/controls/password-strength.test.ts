import { expect, test } from 'vitest'
import { needsCheck, strengthView } from './password-strength.ts'

const checked = (score: number, warning = '', suggestions: string[] = []) => ({
  score,
  feedback: { warning, suggestions },
})

test('an empty password is skipped', () => {
  expect(needsCheck('')).toBe(false)
  expect(strengthView('', checked(0))).toBeUndefined()
})

test('more than 99 characters need no asking', () => {
  expect(needsCheck('x'.repeat(99))).toBe(true)
  expect(needsCheck('x'.repeat(100))).toBe(false)
  const view = strengthView('x'.repeat(100), undefined)
  expect(view?.message).toBe('Maximum length of password exceeded')
  expect(view?.warning).toBe('Password should be less than 100 characters')
})

test.each([
  [0, 10, 'danger', 'This password is not acceptable.'],
  [1, 30, 'danger', 'This password is not secure enough.'],
  [2, 50, 'warning', 'This password is not secure enough.'],
  [3, 80, 'warning', 'Not bad, but your password must be harder to guess.'],
  [4, 100, 'success', 'This password is strong.'],
])('score %i fills %i%% in %s', (score, percent, tone, message) => {
  expect(strengthView('x', checked(score))).toMatchObject({ percent, tone, message })
})

test('suggestions follow the label, the advice comes before the verdict', () => {
  const view = strengthView(
    'x',
    checked(1, 'This is a common password', ['Add a word.', 'Avoid years.']),
  )
  expect(view?.message).toBe('This password is not secure enough. Add a word. Avoid years.')
  expect(view?.warning).toBe('This is a common password. You need a stronger password.')
})

test('only a full score has no warning', () => {
  for (const score of [0, 1, 2, 3])
    expect(strengthView('x', checked(score))?.warning).toBe('You need a stronger password.')
  expect(strengthView('x', checked(4, 'ignored'))?.warning).toBe('')
})
