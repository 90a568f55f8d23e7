import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPassword } from './password-check.ts'

test.each([
  ['password', 0],
  ['a long and winding password 42!', 4],
  ['correct horse battery staple', 4],
])('%s scores %i', async (password, score) => {
  expect(await checkPassword(password)).toMatchObject({ score })
})

test('a weak password gets advice', async () => {
  const { feedback } = await checkPassword('qwertyuiop')
  expect(feedback.warning).not.toBe('')
  expect(feedback.suggestions.length).toBeGreaterThan(0)
})

test('every text has a score from 0 to 4', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), async (text) => {
      expect([0, 1, 2, 3, 4]).toContain((await checkPassword(text)).score)
    }),
    { numRuns: 50 },
  )
})
