import { expect, test } from 'vitest'
import { draftOf, draftProblems, draftText, headerRow } from './job-draft.ts'

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
