import vm from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import { columnOf } from '../../../testing/columns.ts'
import { functionExamples, tableExamples, sampleOf, sampleRow } from './examples.ts'
import { fieldText, jsText, jsValue, urlText } from './example-text.ts'

const engine = vm.createContext()
const access = { url: 'http://localhost:8001/abcdefghijklmnopqrst', key: 'a.key' }
const any = fc
  .string({ unit: 'binary', maxLength: 60 })
  .filter((text) => !/\p{Surrogate}/u.test(text))
const name = any.filter((text) => text !== '' && !text.includes('\0'))

const column = (more: Partial<EntityColumn>): EntityColumn =>
  columnOf('id', 'text', { table: 'books', id: '1.1', ...more })
const books = {
  schema: 'public',
  name: 'books',
  kind: 'table' as const,
  columns: [
    column({
      format: 'int8',
      is_identity: true,
      identity_generation: 'ALWAYS',
      is_nullable: false,
    }),
    column({ name: 'title', is_nullable: false }),
    column({ name: 'pages', format: 'int4' }),
  ],
  primary_key: ['id'],
  foreign_keys: [],
}

test('any text and any value come back out of their JavaScript', () => {
  fc.assert(
    fc.property(any, fc.jsonValue(), (text, value) => {
      expect(vm.runInContext(jsText(text), engine)).toBe(text)
      // `__proto__` as a key of a literal is no key; no column that a client can write is called that here.
      fc.pre(!JSON.stringify(value).includes('__proto__'))
      expect(JSON.stringify(vm.runInContext(`(${jsValue(value)})`, engine))).toBe(
        JSON.stringify(value),
      )
    }),
    { numRuns: 1000 },
  )
})

test('a name in an address comes back out of it', () => {
  fc.assert(
    fc.property(name, (text) => {
      const url = new URL(`http://localhost/${urlText(text)}?select=${urlText(fieldText(text))}`)
      expect(url.searchParams.get('select')).toBe(fieldText(text))
      expect(url.hash).toBe('')
      expect(urlText(text)).not.toMatch(/['"\s]/)
    }),
    { numRuns: 1000 },
  )
})

test('a table, as people read it', () => {
  const examples = tableExamples(books, access)
  expect(examples.map(({ id }) => id)).toEqual([
    'read',
    'columns',
    'page',
    'filter',
    'insert',
    'insert-many',
    'upsert',
    'update',
    'delete',
  ])
  const [read, , , filter, insert] = examples
  expect(read?.js).toBe(`const { data, error } = await client\n  .from('books')\n  .select('*')`)
  expect(filter?.js).toContain(`.eq('id', 1)`)
  // The identity column cannot be given, and what may be empty need not be.
  expect(insert?.js).toContain(`.insert({ title: 'some text' })`)
  expect(insert?.bash.split(' \\\n  ')).toEqual([
    `curl -X POST 'http://localhost:8001/abcdefghijklmnopqrst/rest/v1/books'`,
    `-H 'apikey: a.key'`,
    `-H 'Authorization: Bearer a.key'`,
    `-H 'Prefer: return=representation'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"title":"some text"}'`,
  ])
})

test('what cannot be written has no words for it, and what has no columns none for reading some', () => {
  const ids = (more: object) => tableExamples({ ...books, ...more }, access).map(({ id }) => id)
  expect(ids({ kind: 'materialized_view' })).toEqual(['read', 'columns', 'page', 'filter'])
  const fixed = books.columns.map((one) => ({ ...one, is_updatable: false }))
  expect(ids({ kind: 'view', columns: fixed })).toEqual(['read', 'columns', 'page', 'filter'])
  expect(ids({ kind: 'view' })).toEqual(['read', 'columns', 'page', 'filter', 'update', 'delete'])
  expect(ids({ columns: [], primary_key: [] })).toEqual(['read', 'page'])
  expect(ids({ primary_key: [] })).not.toContain('upsert')
})

test('a function with and without what it need not be given', () => {
  const args = [
    { name: 'a', type: 'integer', optional: false },
    { name: 'the words', type: 'text', optional: true },
  ]
  expect(functionExamples({ name: 'f', args }, access).map(({ js }) => js)).toEqual([
    `const { data, error } = await client\n  .rpc('f', { a: 1 })`,
    `const { data, error } = await client\n  .rpc('f', { a: 1, 'the words': 'some text' })`,
  ])
  expect(functionExamples({ name: 'f', args: [] }, access).map(({ js }) => js)).toEqual([
    `const { data, error } = await client\n  .rpc('f')`,
  ])
})

test('samples go by the type, and an enum by its labels', () => {
  expect(sampleOf('mood', ['happy', 'sad'])).toBe('happy')
  expect(sampleOf('_text')).toEqual([])
  expect(sampleOf('mood')).toBe('some text')
  expect(sampleRow([column({ is_generated: true, is_nullable: false })])).toEqual({})
})
