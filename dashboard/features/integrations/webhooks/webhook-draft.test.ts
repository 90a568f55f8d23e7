import { expect, test } from 'vitest'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { changeTrigger, createTrigger } from '#contract/ddl/triggers'
import {
  addressOfFunction,
  draftOf,
  functionAt,
  newWebhook,
  pair,
  specOf,
  suggestedName,
  toldBy,
  withMethod,
  type WebhookDraft,
  problemsOf,
} from './webhook-draft.ts'

const draft: WebhookDraft = {
  ...newWebhook('public'),
  name: 'tell',
  table: 'books',
  url: 'https://example.com/in?a=1',
}
const of = (part: Partial<WebhookDraft>, taken: string[] = []) =>
  problemsOf({ ...draft, ...part }, taken)

test('nothing is wrong with one that is complete', () => {
  expect(of({})).toEqual({})
  expect(of({ url: 'http://example.com', timeout: '1000', params: [pair()] })).toEqual({})
  expect(of({ kind: 'function', slug: 'hello', url: '' })).toEqual({})
})

test('what is missing or taken is said at its field', () => {
  expect(of({ name: '', table: '', events: [], url: '' })).toEqual({
    name: 'Give it a name',
    table: 'Choose a table',
    events: 'Choose at least one event',
    url: 'Give an address, as https://example.com/orders',
  })
  expect(of({ kind: 'function' })).toEqual({ slug: 'Choose a function' })
  expect(of({}, ['tell'])).toEqual({ name: 'The table has a trigger of this name already' })
})

test.each([
  ['ftp://example.com', 'An address begins with https://'],
  ['example.com', 'An address begins with https://'],
  ['https://', 'An address begins with https://'],
  ['https://exa mple.com', 'This is no address'],
  ['https://example.com:99999', 'This is no address'],
  [`https://example.com/${'a'.repeat(2048)}`, 'An address has at most 2048 characters'],
  ['https://ada:secret@example.com', 'Put a name and password into a header, not here'],
])('the address %s is refused', (url, why) => {
  expect(of({ url })).toEqual({ url: why })
})

test.each(['', '999', '10001', '1e4', '-2000', 'soon'])('the timeout %j is refused', (timeout) => {
  expect(of({ timeout })).toEqual({ timeout: 'A number of milliseconds from 1000 to 10000' })
})

test('rows of headers and parameters are judged one by one', () => {
  const headers = [
    pair('X-One', 'a'),
    pair('x-one', 'b'),
    pair('', 'c'),
    pair('a b', 'd'),
    pair('X-Two', 'e\nf'),
    pair(),
  ]
  expect(Object.values(of({ headers }).headers ?? {})).toEqual([
    'This name already exists',
    'Give it a name',
    'A header is named with letters, digits and -',
    'A header has one line of plain text',
  ])
  const params = [pair('a', '1'), pair('A', '2'), pair('a', '3')]
  expect(of({ params }).params).toEqual({ [params[2]?.id ?? '']: 'This name already exists' })
})

const endpoint = 'https://abc.example.com'
const rowsOf = (pairs: WebhookDraft['headers']) => pairs.map(({ name, value }) => [name, value])

const written: DatabaseTrigger = {
  id: 7,
  table_id: 5,
  name: 'tell',
  schema: 'public',
  table: 'books',
  enabled_mode: 'ORIGIN',
  condition: null,
  orientation: 'ROW',
  activation: 'AFTER',
  events: ['INSERT', 'UPDATE'],
  columns: ['title'],
  old_table: null,
  new_table: null,
  function_schema: 'supabase_functions',
  function_name: 'http_request',
  constraint: null,
  definition: '',
  function_args: [
    'https://example.com/in',
    'POST',
    '{"Content-type": "application/json", "x-count": 3}',
    '{}',
    '1000',
  ],
}

test('a new webhook becomes a trigger with its five texts', () => {
  const draft: WebhookDraft = {
    ...newWebhook('public'),
    name: 'tell',
    table: 'books',
    events: ['DELETE', 'INSERT'],
    url: ' https://example.com/in ',
    headers: [pair('Content-Type', 'application/json'), pair(), pair(' X-Who ', "o'clock")],
    params: [pair('of', 'books & more')],
  }
  expect(createTrigger(specOf(draft, endpoint)).statements).toEqual([
    `create trigger tell
after insert or delete on public.books
for each row
execute function supabase_functions.http_request('https://example.com/in', 'POST', '{"Content-Type":"application/json","X-Who":"o''clock"}', '{"of":"books & more"}', '5000')`,
  ])
})

test('an edge function is an address of the project, and is known by it', () => {
  const draft: WebhookDraft = { ...newWebhook('public'), kind: 'function', slug: 'hello' }
  const [url] = specOf(draft, `${endpoint}/`).function_args
  expect(url).toBe('https://abc.example.com/functions/v1/hello')
  const read = draftOf({ ...written, function_args: [url ?? '', 'GET'] }, endpoint)
  expect(read).toMatchObject({ kind: 'function', slug: 'hello', url: '', method: 'GET' })
  for (const other of ['hello/items', 'hello?a=1', '', '1st']) {
    const address = addressOfFunction(endpoint, other)
    expect(functionAt(address, endpoint), other).toBeUndefined()
    expect(draftOf({ ...written, function_args: [address, 'GET'] }, endpoint)).toMatchObject({
      kind: 'http',
      url: address,
    })
  }
  expect(functionAt(addressOfFunction('https://other.example.com', 'hello'), endpoint)).toBe(
    undefined,
  )
})

test('one that is opened and left alone is not changed, however it was written', () => {
  for (const args of [
    written.function_args,
    ['https://example.com', 'get', 'null', 'null', 'null'],
    ['https://example.com'],
    [addressOfFunction(endpoint, 'hello'), 'POST', '{ }', '{}', '2000'],
    ['https://example.com', 'POST', '{}', '{"a":"1"}', '2000'],
  ]) {
    const found = { ...written, condition: 'new.id > 1', function_args: args }
    expect(changeTrigger(found, specOf(draftOf(found, endpoint), endpoint, found))).toBeUndefined()
  }
})

test('what the form does not show stays when something else is changed', () => {
  const found = { ...written, condition: 'new.id > 1', enabled_mode: 'ALWAYS' as const }
  const draft = draftOf(found, endpoint)
  expect(rowsOf(draft.headers)).toEqual([
    ['Content-type', 'application/json'],
    ['x-count', '3'],
  ])
  const made = specOf({ ...draft, timeout: '9000' }, endpoint, found)
  expect(made).toMatchObject({ condition: 'new.id > 1', columns: ['title'] })
  expect(made.function_args.slice(2)).toEqual([
    '{"Content-type":"application/json","x-count":"3"}',
    '{}',
    '9000',
  ])
  expect(changeTrigger(found, made)?.statements).toHaveLength(2)
  // Columns of one table are none of another.
  expect(specOf({ ...draft, table: 'films' }, endpoint, found).columns).toEqual([])
  expect(specOf({ ...draft, events: ['INSERT'] }, endpoint, found).columns).toEqual([])
})

test('arguments that cannot be read are named, and replaced by what can', () => {
  expect(toldBy(['u', 'PUT', '[1]', '{"a":{}}', 'soon'])).toMatchObject({
    unread: ['method', 'headers', 'parameters', 'timeout'],
    method: 'POST',
    headers: [],
    timeout: '5000',
  })
  expect(toldBy(['u', 'post', '', '{}']).unread).toEqual(['headers'])
  const found = { ...written, function_args: ['https://example.com', 'GET', '{', '{}', '1000'] }
  expect(specOf(draftOf(found, endpoint), endpoint, found).function_args[2]).toBe('{}')
})

test('what is left out is read as the function reads it', () => {
  for (const args of [['u'], ['u', 'null', 'null', 'null', 'null']]) {
    const told = toldBy(args)
    expect(told).toMatchObject({ method: 'POST', params: [], timeout: '5000', unread: [] })
    expect(rowsOf(told.headers)).toEqual([['Content-Type', 'application/json']])
  }
})

test('the header of a body comes and goes with the method, unless it is somebody’s own', () => {
  const draft = newWebhook('public')
  const get = withMethod(draft, 'GET')
  expect(rowsOf(get.headers)).toEqual([])
  expect(rowsOf(withMethod(get, 'POST').headers)).toEqual([['Content-Type', 'application/json']])
  const own = { ...draft, headers: [pair('content-type', 'text/plain')] }
  expect(withMethod(withMethod(own, 'GET'), 'POST').headers).toEqual(own.headers)
})

test('a name is suggested that the table does not have, and that Postgres takes', () => {
  expect(suggestedName('', [])).toBe('')
  expect(suggestedName('books', ['books_webhook', 'books_webhook_2'])).toBe('books_webhook_3')
  for (const table of ['x'.repeat(63), '本'.repeat(21), '🦆'.repeat(15)])
    expect(Buffer.byteLength(suggestedName(table, []))).toBeLessThanOrEqual(60)
})
