import { expect, test } from 'vitest'
import { pair } from './pairs.ts'
import { newWebhook, type WebhookDraft } from './webhook-draft.ts'
import { problemsOf } from './webhook-problems.ts'

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
