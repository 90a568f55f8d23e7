import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assistant } from '#contract/assistant/assistant'
import type { RunEvent } from '#contract/database/sql/sql-query'
import type { BlockResult, Message } from '../../../modules/assistant/assistant-state.ts'
import { afterEvent, wantsChanges } from '../../../modules/assistant/block-result.ts'
import { nameFrom, partsOf, questionOf } from './question.ts'

const ref = 'abcdefghijklmnopqrst'
const result: BlockResult = {
  sql: 'select 1',
  status: 'done',
  columns: ['n'],
  rows: [['1']],
  count: 1,
  command: 'SELECT',
  ms: 3,
}
const says = (role: 'user' | 'assistant', text: string, results = {}): Message => ({
  id: text,
  role,
  parts: [{ type: 'text', text }],
  results,
})

test('what a person ran goes with their next words, never as the words of the model', () => {
  const sent = questionOf([
    says('user', 'How many?'),
    says('assistant', 'Run this', { 'sql-1': result }),
    says('user', 'And now?'),
  ])
  expect(sent.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
    ['user', 'text'],
    ['assistant', 'text'],
    ['user', 'result', 'text'],
  ])
})

test('whatever was said and ran, the server takes the question', () => {
  const text = fc.oneof(
    fc.string(),
    fc.nat(80_000).map((n) => 'x'.repeat(n)),
  )
  const cells = fc.array(fc.option(fc.string({ maxLength: 900 }), { nil: null }), {
    maxLength: 230,
  })
  const ran = fc.dictionary(
    fc.string(),
    fc.record({
      sql: fc.string(),
      status: fc.constantFrom('done' as const, 'failed' as const),
      columns: fc.array(fc.string({ maxLength: 300 }), { maxLength: 230 }),
      rows: fc.array(cells, { maxLength: 60 }),
      count: fc.constant(null),
      command: fc.constant('SELECT'),
      ms: fc.nat(),
      error: fc.record({ message: text, code: fc.string() }),
    }),
    { maxKeys: 3 },
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('user' as const, 'assistant' as const), text, ran), {
        maxLength: 30,
      }),
      (list) => {
        const messages = [
          ...list.map(([role, words, results]) => says(role, words, results)),
          says('user', 'x'),
        ]
        const sent = assistant.ask.input.safeParse({ ref, messages: questionOf(messages) })
        expect(sent.error?.issues).toBeUndefined()
        expect(sent.data?.messages.at(-1)?.parts.at(-1)).toEqual({ type: 'text', text: 'x' })
        // The server takes a million bytes, and a character has up to three.
        expect(JSON.stringify(sent.data).length).toBeLessThan(300_000)
      },
    ),
    { numRuns: 30 },
  )
})

test('a chat is called like its first question, in one short line', () => {
  expect(nameFrom('  How many books?\nI mean sold.')).toBe('How many books?')
  const long = nameFrom('Which of all the many books that we have were sold twice?')
  expect(long).toHaveLength(40)
  expect(long.endsWith('…')).toBe(true)
})

test('what is attached comes before the words', () => {
  expect(
    partsOf(' Why? ', [{ name: 'q', sql: 'select 1' }], [{ schema: 'public', name: 'books' }]),
  ).toEqual([
    { type: 'snippet', name: 'q', sql: 'select 1' },
    { type: 'table', schema: 'public', name: 'books' },
    { type: 'text', text: 'Why?' },
  ])
})

const events = (...list: object[]) =>
  list.reduce<BlockResult>((before, event) => afterEvent(before, event as RunEvent), {
    ...result,
    rows: [],
    columns: [],
  })
const error = (code: string) => ({ type: 'error', index: 0, ms: 1, error: { message: 'no', code } })

test('of several statements the last result is shown, its first 50 rows, cells cut', () => {
  const shown = events(
    { type: 'fields', index: 0, fields: [{ name: 'a' }] },
    { type: 'rows', index: 0, rows: [['1']] },
    { type: 'done', index: 0, command: 'SELECT', rows: 1, ms: 1, cut: false },
    { type: 'fields', index: 1, fields: [{ name: 'b' }] },
    {
      type: 'rows',
      index: 1,
      rows: Array.from({ length: 60 }, () => [null, { head: 'x'.repeat(900), bytes: 9000 }]),
    },
    { type: 'done', index: 1, command: 'SELECT', rows: 60, ms: 1, cut: false },
    { type: 'end', ms: 4.4, rolled_back: false },
  )
  expect(shown).toMatchObject({ status: 'done', columns: ['b'], count: 60, ms: 4 })
  expect(shown.rows).toHaveLength(50)
  expect(shown.rows[0]?.map((cell) => cell?.length)).toEqual([undefined, 500])
})

test.each([
  ['25006', true],
  ['25001', true],
  ['42501', true],
  ['2D000', true],
  ['42703', false],
  ['57014', false],
])('a failure with %s asks for more than reading: %s', (code, wants) => {
  expect(wantsChanges(events(error(code)))).toBe(wants)
})
