import { expect, test } from 'vitest'
import { filtersIn } from './asked-filters.ts'

const columns = [{ name: 'pages' }, { name: 'title' }, { name: 'meta', format: 'jsonb' }]

test('conditions are read out of whatever is said around them; the first begins the first group', () => {
  const answer =
    'Here:\n```json\n[{"column":"pages","operator":">","value":100,"or":true},{"column":"title","operator":"in","value":["a","b"],"or":true},{"column":"title","operator":"is","value":null}]\n```'
  expect(filtersIn(answer, columns)).toEqual([
    { column: 'pages', operator: '>', value: '100' },
    { column: 'title', operator: 'in', value: 'a, b', or: true },
    { column: 'title', operator: 'is', value: 'null' },
  ])
})

test('ranges, parts of documents and what they contain are conditions, too', () => {
  const answer = JSON.stringify([
    { column: 'pages', operator: 'between', value: [1, 5] },
    { column: 'title', operator: 'in', value: ['a, b', 'c'] },
    { column: 'meta', path: 'tags[0]', operator: 'starts with', value: 'x' },
    { column: 'meta', operator: '@>', value: ['x'] },
  ])
  expect(filtersIn(answer, columns)).toEqual([
    { column: 'pages', operator: 'between', value: '1, 5' },
    { column: 'title', operator: 'in', value: '"a, b", c' },
    { column: 'meta', path: 'tags[0]', operator: 'starts with', value: 'x' },
    { column: 'meta', operator: '@>', value: '["x"]' },
  ])
})

test.each([
  ['I do not know.', 'no conditions'],
  ['[]', 'no conditions'],
  ['[{"column":', 'no conditions'],
  ['[1]', 'could not be read'],
  ['[{"condition":"wipe()"}]', 'a column that there is not'],
  ['[{"column":"meta","path":"a..b","operator":"=","value":"x"}]', 'a path that cannot be read'],
  ['[{"column":"author","operator":"=","value":"x"}]', 'a column that there is not: author'],
  [
    '[{"column":"pages","operator":"=","value":"1"},{"column":"pages","operator":"; drop","value":"x"}]',
    'a way that there is not',
  ],
])('what is no condition is refused whole: %j', (answer, why) => {
  expect(() => filtersIn(answer, columns)).toThrow(why)
})
