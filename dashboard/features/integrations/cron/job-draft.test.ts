import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  commandOf,
  commandText,
  draftOf,
  draftProblems,
  draftText,
  headerRow,
  httpMethods,
  type JobCommand,
} from './job-draft.ts'

const endpoint = 'http://localhost:8001/abcdefghijklmnopqrst'

test('an edge function is told by its address', () => {
  const draft = { ...draftOf('', endpoint), kind: 'edge' as const, slug: 'clean-up' }
  const sql = draftText(draft, endpoint)
  expect(sql).toContain(`url := '${endpoint}/functions/v1/clean-up'`)
  expect(draftOf(sql, endpoint)).toMatchObject({ kind: 'edge', slug: 'clean-up', method: 'POST' })
  expect(draftOf(sql, 'http://elsewhere')).toMatchObject({ kind: 'http' })
})

test('rows without a name are left out', () => {
  const draft = {
    ...draftOf('', endpoint),
    kind: 'http' as const,
    url: 'https://example.com',
    headers: [headerRow({ name: ' ', value: '' }), headerRow({ name: ' X-A ', value: '1' })],
  }
  expect(draftText(draft, endpoint)).toContain(`jsonb_build_object('X-A', '1')`)
  expect(draftProblems(draft)).toEqual({})
})

test.each([
  [{ kind: 'sql', sql: ' ' }, ['sql']],
  [{ kind: 'function' }, ['name']],
  [{ kind: 'edge' }, ['slug']],
  [{ kind: 'http', url: 'ftp://example.com', body: '{', timeout: '0' }, ['body', 'timeout', 'url']],
  [
    { kind: 'http', url: 'https://a', headers: [headerRow({ name: 'a b', value: '' })] },
    ['headers'],
  ],
  [
    { kind: 'http', url: 'https://a', headers: [headerRow({ name: 'a', value: 'b\nc' })] },
    ['headers'],
  ],
] as const)('%o has problems with %o', (part, fields) => {
  const draft = {
    ...draftOf('', endpoint),
    ...part,
    headers: [...('headers' in part ? part.headers : [])],
  }
  expect(Object.keys(draftProblems(draft)).toSorted()).toEqual(fields)
})

const words = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'))
const named = words.filter((text) => text !== '')
const header = fc.oneof(
  fc.record({ name: words, value: words }),
  fc.record({ name: words, value: words, secret: fc.record({ before: words }) }),
)

test('what a form writes, it reads', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.record({ kind: fc.constant('function' as const), schema: named, name: named }),
        fc.record({
          kind: fc.constant('http' as const),
          method: fc.constantFrom(...httpMethods),
          url: words,
          headers: fc.array(header, { maxLength: 4 }),
          body: fc.constant(''),
          timeout: fc.integer({ min: 100, max: 30_000 }),
        }),
      ),
      (command: JobCommand) => {
        expect(commandOf(commandText(command))).toEqual(command)
      },
    ),
  )
})

test('the body of a request is kept, and a GET has none', () => {
  const post: JobCommand = {
    kind: 'http',
    method: 'POST',
    url: 'https://example.com/a?b=c',
    headers: [{ name: 'Authorization', value: 'key', secret: { before: 'Bearer ' } }],
    body: `{"it's": "a \\\\ backslash"}`,
    timeout: 5000,
  }
  expect(commandText(post)).toMatchInlineSnapshot(`
    "select net.http_post(
      url := 'https://example.com/a?b=c',
      headers := jsonb_build_object('Authorization', 'Bearer ' || (select decrypted_secret from vault.decrypted_secrets where name = 'key')),
      body := E'{"it''s": "a \\\\\\\\ backslash"}'::jsonb,
      timeout_milliseconds := 5000
    ) as request_id;"
  `)
  expect(commandOf(commandText(post))).toEqual(post)
  expect(commandOf(commandText({ ...post, method: 'GET' }))).toEqual({
    ...post,
    method: 'GET',
    body: '',
  })
})

test.each([
  'delete from a',
  'select app.clean(), app.more()',
  'select app.clean(1)',
  `select net.http_post(url := 'https://a', headers := jsonb_build_object('a', now()::text), timeout_milliseconds := 1)`,
  `select net.http_post(url := 'https://a' || secret(), headers := jsonb_build_object(), timeout_milliseconds := 1)`,
  `select app.clean(); drop table a`,
])('anything else is SQL: %s', (sql) => {
  expect(commandOf(sql)).toEqual({ kind: 'sql', sql })
})

test('a function is called by its name, whatever it is', () => {
  expect(commandText({ kind: 'function', schema: 'App', name: 'a"b' })).toBe(
    'select "App"."a""b"();',
  )
  expect(commandOf('SELECT app.Clean_Up( )')).toEqual({
    kind: 'function',
    schema: 'app',
    name: 'clean_up',
  })
})
