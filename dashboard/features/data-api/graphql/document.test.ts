import { expect, test } from 'vitest'
import { operationAt, prettified, titleOf, variablesOf, withNewest } from './document.ts'

const two = 'query A { a }\nquery B { b }\n'

test('the operation at the cursor is run, else the first one', () => {
  expect(operationAt(two, two.indexOf('b }'))).toBe('B')
  expect(operationAt(two, 3)).toBe('A')
  expect(operationAt('{ a }', 2)).toBeUndefined()
  expect(operationAt('query {', 2)).toBeUndefined()
  expect(operationAt('fragment F on T { a } query C { b }', 3)).toBe('C')
})

test('a document is called by its operations or its words', () => {
  expect(titleOf(two)).toBe('A, B')
  expect(titleOf('# note\n{ a\n  b }')).toBe('{ a b }')
  expect(titleOf('# only a note')).toBe('Empty')
})

test('prettifying keeps the meaning and never loses a comment', () => {
  expect(prettified('{a(x:1){b c}}')).toEqual({ text: '{\n  a(x: 1) {\n    b\n    c\n  }\n}\n' })
  expect(prettified('{ a } # why')).toEqual({ reason: 'Comments would be lost' })
  expect(prettified('{ a(s: "# no comment") }')).toHaveProperty('text')
  expect(prettified('{')).toEqual({ reason: 'This is no GraphQL yet' })
})

test('variables are a JSON object or nothing', () => {
  expect(variablesOf(' ')).toEqual({})
  expect(variablesOf('{"a": [1]}')).toEqual({ a: [1] })
  for (const wrong of ['[1]', '1', 'null', '{a: 1}', '{'])
    expect(variablesOf(wrong), wrong).toBeUndefined()
})

test('history has each document once, the newest first, and an end', () => {
  const draft = (query: string) => ({ query, variables: '' })
  const [a, b] = [draft('{ a }'), draft('{ b }')]
  expect(withNewest([a, b], b)).toEqual([b, a])
  const many = Array.from({ length: 40 }, (_, at) => draft(String(at)))
  expect(many.reduce(withNewest, [])).toHaveLength(20)
})
