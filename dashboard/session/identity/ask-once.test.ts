import { expect, test } from 'vitest'
import { sqlIn } from './ask-once.ts'

test('the last block of SQL is what was asked for; the rest are words', () => {
  expect(
    sqlIn('Like this:\n\n```sql\nselect 1\n```\n\nor\n```sql\nselect 2;\n\n```\nDone.'),
  ).toEqual({
    sql: 'select 2;',
    words: 'Like this:\n\n\n\nor\n\nDone.',
  })
})

test('ticks inside a longer fence do not end it', () => {
  expect(sqlIn("````sql\nselect '\n```\n'\n````").sql).toBe("select '\n```\n'")
})

test.each(['No idea.', '```\nselect 1\n```', '```sql\nselect 1'])(
  'there is none in %j',
  (answer) => {
    expect(sqlIn(answer)).toEqual({ sql: undefined, words: answer })
  },
)
