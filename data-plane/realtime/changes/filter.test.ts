import { expect, test } from 'vitest'
import { FilterError, holds, misfit, parseFilter } from './filter.ts'

const check = (filter: string, text: string | null, type = 'text') => {
  const [condition] = parseFilter(filter)
  if (!condition) throw new Error('No condition')
  return holds(condition, text, type)
}

test.each(['x', 'a=', 'a=eq', 'a=eq1', 'a=xx.1', 'a=in.1,2', '=eq.1', 'a=not.xx.1', 'a=eq.1,b'])(
  'what is no filter is refused: %s',
  (text) => {
    expect(() => parseFilter(text)).toThrow(FilterError)
  },
)

test('several conditions, lists, quotes and escapes', () => {
  expect(parseFilter('  ')).toEqual([])
  const plain = { negated: false, list: [] }
  expect(parseFilter('a=eq.1.5,b=not.in.(x,"y,\\"z)",w)')).toEqual([
    { ...plain, column: 'a', operator: 'eq', value: '1.5' },
    { column: 'b', operator: 'in', negated: true, value: '', list: ['x', 'y,"z)', 'w'] },
  ])
  expect(parseFilter('a=eq."x, y",b=eq.')).toEqual([
    { ...plain, column: 'a', operator: 'eq', value: 'x, y' },
    { ...plain, column: 'b', operator: 'eq', value: '' },
  ])
})

test.each([
  ['a=eq.1', '1', 'int4', true],
  ['a=eq.01', '1', 'int8', true],
  ['a=gt.9007199254740992', '9007199254740993', 'int8', true],
  ['a=lt.10', '9', 'int4', true],
  ['a=lt.10', '9', 'text', false],
  ['a=gte.1.50', '1.5', 'numeric', true],
  ['a=neq.1', '1', 'int4', false],
  ['a=not.eq.1', '2', 'int4', true],
  ['a=eq.true', 't', 'bool', true],
  ['a=is.true', 't', 'bool', true],
  ['a=is.not_known', 't', 'bool', false],
  ['a=is.null', null, 'text', true],
  ['a=not.is.null', null, 'text', false],
  ['a=eq.x', null, 'text', false],
  ['a=not.eq.x', null, 'text', false],
  ['a=isdistinct.x', null, 'text', true],
  ['a=isdistinct.x', 'x', 'text', false],
  ['a=in.(1,2)', '2', 'int4', true],
  ['a=not.in.(1,2)', '2', 'int4', false],
  ['a=like.a%c', 'abbc', 'text', true],
  ['a=like.a_c', 'abc', 'text', true],
  ['a=like.a_c', 'abbc', 'text', false],
  ['a=like.%x%y%', '1x2y3', 'text', true],
  ['a=like.A%', 'abc', 'text', false],
  ['a=ilike.A%', 'abc', 'text', true],
  ['a=like.100\\%', '100%', 'text', true],
  ['a=like.100\\%', '1000', 'text', false],
  ['a=eq.2024-05-06T07:08:09Z', '2024-05-06 09:08:09+02', 'timestamptz', true],
  ['a=lt.2024-05-07', '2024-05-06 00:00:00', 'timestamp', true],
  [
    'a=eq.ABCDEF00-0000-4000-8000-000000000000',
    'abcdef00-0000-4000-8000-000000000000',
    'uuid',
    true,
  ],
  ['a=match.^x', 'x', 'text', 'ask'],
])('%s of %s as %s: %s', (filter, text, type, expected) => {
  expect(check(filter, text, type)).toBe(expected)
})

test('a pattern that would take other ways of matching forever is quick', () => {
  const started = performance.now()
  expect(check(`a=like.${'%a'.repeat(30)}%b`, 'a'.repeat(20_000))).toBe(false)
  expect(performance.now() - started).toBeLessThan(2000)
})

test.each([
  ['a=eq.x', 'int4', 'x'],
  ['a=in.(1,x)', 'int4', 'x'],
  ['a=eq.maybe', 'bool', 'maybe'],
  ['a=is.maybe', 'bool', 'maybe'],
  ['a=eq.x', 'text', undefined],
])('%s does not fit %s', (filter, type, expected) => {
  const [condition] = parseFilter(filter)
  expect(condition && misfit(condition, type)).toBe(expected)
})
