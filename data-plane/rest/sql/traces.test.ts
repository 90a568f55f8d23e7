import { expect, test } from 'vitest'
import { explained } from './explain.ts'
import { prepareCall } from '../requests/serve-call.ts'
import { prepareRead } from '../requests/serve-read.ts'
import type { Relation, Schema } from '../catalog/schema.ts'
import { prepareWrite, type WriteVerb } from '../requests/serve-write.ts'
import { incomingOf, testSchema, testSettings } from '../../testing/rest/schema.ts'

const all = { read: true, insert: true, update: true, delete: true }
const books = testSchema.relations.get('public')?.get('books')

/** The schema of the tests with a table that is plain so far. */
function schemaWith(plain: Relation['plain']): Schema {
  if (!books) throw new Error('The schema of the tests has no books')
  const own = new Map(testSchema.relations.get('public')).set('books', { ...books, plain })
  return { ...testSchema, relations: new Map([['public', own]]) }
}

type Asked = { body?: string; prefer?: string; plain?: Relation['plain']; path?: string[] }
function leaves(request: string, { body, prefer, plain = all, path = [] }: Asked = {}): boolean {
  const [verb = '', target = ''] = request.split(' ')
  const incoming = incomingOf(verb, target, body, prefer === undefined ? {} : { prefer })
  const settings = { ...testSettings, extraSearchPath: path }
  return prepareWrite(incoming, verb as WriteVerb, 'books', { schema: schemaWith(plain), settings })
    .leavesTraces
}

const shown = 'return=representation'
const row = '{"id":1,"title":"a"}'
const merge = 'resolution=merge-duplicates'

test.each<[string, Asked?]>([
  ['POST /books', { body: row }],
  ['POST /books', { body: row, plain: { ...all, update: false, delete: false } }],
  ['POST /books', { body: row, prefer: 'return=headers-only' }],
  ['POST /books?select=id,t:title,data->a&order=title', { body: row, prefer: shown }],
  ['POST /books', { body: row, prefer: `${merge},${shown}` }],
  ['POST /books', { body: row, prefer: 'missing=default' }],
  [
    'POST /books',
    { body: row, prefer: 'resolution=ignore-duplicates', plain: { ...all, update: false } },
  ],
  ['PUT /books?id=eq.1', { body: row }],
  ['PATCH /books?or=(id.gt.1,title.like.a*)&data->a=eq.1', { body: '{"title":"b"}' }],
  ['PATCH /books?id=eq.1', { body: '{"title":"b"}', plain: { ...all, insert: false } }],
  ['DELETE /books?id=in.(1,2)', { prefer: shown }],
  // What is not shown is not made either.
  ['POST /books?select=id::text', { body: row }],
])('%s leaves nothing: %j', (request, asked) => {
  expect(leaves(request, asked)).toBe(false)
})

test.each<[string, Asked?]>([
  ['POST /books', { body: row, plain: { ...all, insert: false } }],
  ['POST /books', { body: row, prefer: merge, plain: { ...all, update: false } }],
  ['POST /books', { body: row, prefer: merge, plain: { ...all, insert: false } }],
  ['PUT /books?id=eq.1', { body: row, plain: { ...all, update: false } }],
  ['PATCH /books', { body: '{"title":"b"}', plain: { ...all, update: false } }],
  ['DELETE /books', { plain: { ...all, delete: false } }],
  ['DELETE /books?computed=eq.1'],
  ['DELETE /books?or=(id.eq.1,not.and(computed.eq.1,id.eq.2))'],
  ['POST /books?select=id::text', { body: row, prefer: shown }],
  ['POST /books?select=id,computed', { body: row, prefer: shown }],
  ['POST /books?select=id,authors(name)', { body: row, prefer: shown }],
  ['POST /books?select=id,...authors(name)', { body: row, prefer: shown }],
  ['POST /books?order=computed', { body: row, prefer: shown }],
  ['POST /books', { body: row, path: ['public', 'pg_catalog'] }],
])('%s may leave something: %j', (request, asked) => {
  expect(leaves(request, asked)).toBe(true)
})

function keeps(target: string, { plain = all, path = [] }: Asked = {}): boolean | undefined {
  const settings = { ...testSettings, extraSearchPath: path }
  const serving = { schema: schemaWith(plain), settings }
  return prepareRead(incomingOf('GET', target), 'books', serving).keepsSettings
}

test.each<[string, Asked?]>([
  ['/books?id=eq.1'],
  ['/books?select=id,t:title,data->a&or=(id.gt.1,title.like.a*)&order=title'],
  ['/books', { plain: { read: true, insert: false, update: false, delete: false } }],
])('a read of %s sets nothing: %j', (target, asked) => {
  expect(keeps(target, asked)).toBe(true)
})

test.each<[string, Asked?]>([
  ['/books', { plain: { ...all, read: false } }],
  ['/books', { path: ['pg_catalog'] }],
  ['/books?computed=eq.1'],
  ['/books?select=id::text'],
  ['/books?select=id,computed'],
  ['/books?select=id,authors(name)'],
  ['/books?order=computed'],
])('a read of %s may set something: %j', (target, asked) => {
  expect(keeps(target, asked)).toBe(false)
})

test('a write sets something where it may leave something, and of a plan nothing is known', () => {
  const serving = { schema: schemaWith(all), settings: testSettings }
  const write = prepareWrite(incomingOf('DELETE', '/books'), 'DELETE', 'books', serving)
  expect(write.keepsSettings).toBe(true)
  const incoming = incomingOf('DELETE', '/books?computed=eq.1')
  expect(prepareWrite(incoming, 'DELETE', 'books', serving).keepsSettings).toBe(false)
  const plan = { format: 'text', options: ['analyze'], of: 'application/json' } as const
  expect(explained(write, plan, incoming, serving).keepsSettings).toBeUndefined()
})

test('a read leaves nothing, a call that may write does, and a plan what it is the plan of', () => {
  const serving = { schema: testSchema, settings: testSettings }
  const read = prepareRead(incomingOf('GET', '/books'), 'books', serving)
  expect(read.leavesTraces).toBe(false)
  const call = incomingOf('POST', '/rpc/add', '{"a":1}')
  expect(prepareCall(call, 'add', serving).leavesTraces).toBe(false)
  const [add] = testSchema.functions.get('public')?.get('add') ?? []
  if (!add) throw new Error('The schema of the tests has no function')
  const functions = new Map([['public', new Map([['add', [{ ...add, volatile: true }]]])]])
  const volatile = { ...serving, schema: { ...testSchema, functions } }
  expect(prepareCall(call, 'add', volatile).leavesTraces).toBe(true)
  const plan = { format: 'text', options: ['analyze'], of: 'application/json' } as const
  for (const incoming of [incomingOf('DELETE', '/books'), incomingOf('DELETE', '/books?x=eq.1')]) {
    const write = prepareWrite(incoming, 'DELETE', 'books', serving)
    expect(explained(write, plan, incoming, serving).leavesTraces).toBe(write.leavesTraces)
  }
})
