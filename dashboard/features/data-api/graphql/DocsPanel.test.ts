import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { rootsOf, typeDoc, typesNamed } from './DocsPanel.tsx'

const schema = buildSchema(`
  "What can be read"
  type Query { "One book" book(id: ID!): Book, any: Thing }
  type Mutation { drop(id: ID!): Int @deprecated(reason: "Too easy") }
  type Book { id: ID!, mood: Mood!, tags: [String!]! }
  type Film { id: ID! }
  union Thing = Book | Film
  enum Mood { GOOD "Not good" BAD }
  input BookFilter { id: ID }
`)

test('reading begins at the roots', () => {
  expect(rootsOf(schema)).toEqual(['Query', 'Mutation'])
})

test('a type says its fields, their arguments and where they lead', () => {
  const query = typeDoc(schema, 'Query')
  expect(query).toMatchObject({ kind: 'Type', description: 'What can be read' })
  expect(query?.entries[0]).toEqual({
    name: 'book',
    description: 'One book',
    type: 'Book',
    leadsTo: 'Book',
    args: [{ name: 'id', type: 'ID!', leadsTo: 'ID', description: '' }],
    deprecated: undefined,
  })
  expect(typeDoc(schema, 'Mutation')?.entries[0]?.deprecated).toBe('Too easy')
  expect(typeDoc(schema, 'Book')?.entries[2]).toMatchObject({
    type: '[String!]!',
    leadsTo: 'String',
  })
  expect(typeDoc(schema, 'Mood')?.entries.map(({ name }) => name)).toEqual(['GOOD', 'BAD'])
  expect(typeDoc(schema, 'Thing')?.entries.map(({ leadsTo }) => leadsTo)).toEqual(['Book', 'Film'])
  expect(typeDoc(schema, 'BookFilter')?.kind).toBe('Input')
  expect(typeDoc(schema, 'ID')).toMatchObject({ kind: 'Scalar', entries: [] })
  expect(typeDoc(schema, 'Nothing')).toBeUndefined()
})

test('types are found by a part of their name, never those of introspection', () => {
  expect(
    typesNamed(schema, 'boo')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['Book', 'BookFilter', 'Boolean'])
  expect(typesNamed(schema, '').some(({ name }) => name.startsWith('__'))).toBe(false)
  expect(typesNamed(schema, '', 2)).toHaveLength(2)
})
