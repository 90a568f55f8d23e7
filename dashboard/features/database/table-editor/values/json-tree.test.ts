import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonTree, type JsonNode } from './json-tree.ts'

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
