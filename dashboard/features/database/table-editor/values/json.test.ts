import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Column } from '#contract/database/pg-meta-shapes'
import { jsonTree, type JsonNode, rowJson } from './json.ts'

// Only what is read here.
const column = (name: string, format: string) => ({ name, format }) as Column

test('a row as JSON loses no digit and tells NULL from empty text', () => {
  const columns = [
    column('id', 'int8'),
    column('n', 'numeric'),
    column('f', 'float8'),
    column('ok', 'bool'),
    column('d"oc', 'jsonb'),
    column('t', 'text'),
    column('none', 'text'),
    column('long', 'text'),
  ]
  const texts = ['9223372036854775807', '0.10', 'NaN', 'true', '{"a": 1}', '', null, 'head']
  const json = rowJson(
    columns,
    texts.map((text, at) => ({ text, cut: at === 7 })),
  )
  expect(json).toContain('"id": 9223372036854775807,')
  expect(json).toContain('"n": 0.10,')
  expect(JSON.parse(json)).toMatchObject({
    f: 'NaN',
    ok: true,
    'd"oc': { a: 1 },
    t: '',
    none: null,
    long: 'head…',
  })
})

const written = (node: JsonNode): string => {
  switch (node.kind) {
    case 'leaf':
      return node.text
    case 'array':
      return `[${node.items.map(written).join(',')}]`
    case 'object':
      return `{${node.entries.map(({ name, value }) => `${JSON.stringify(name)}:${written(value)}`).join(',')}}`
  }
}

test('numbers keep every digit, and names that come twice stay two', () => {
  expect(jsonTree('{"a": 1.10, "a": 12345678901234567890, "b": []}')).toEqual({
    kind: 'object',
    entries: [
      { name: 'a', value: { kind: 'leaf', text: '1.10' } },
      { name: 'a', value: { kind: 'leaf', text: '12345678901234567890' } },
      { name: 'b', value: { kind: 'array', items: [] } },
    ],
  })
  expect(jsonTree(' null ')).toEqual({ kind: 'leaf', text: 'null' })
})

test('what is not JSON has no tree, and what is far too deep neither', () => {
  expect(jsonTree('{"a":')).toBeUndefined()
  expect(jsonTree('')).toBeUndefined()
  expect(jsonTree('['.repeat(300) + ']'.repeat(300))).toBeUndefined()
})

test('any JSON is the same again when its tree is written', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const tree = jsonTree(text)
      if (!tree) throw new Error('There is no tree')
      expect(JSON.parse(written(tree))).toEqual(JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})
