import { expect, test } from 'vitest'
import { safeLink } from './links.ts'

test('the Postgres manual is linked to', () => {
  const page = 'https://www.postgresql.org/docs/17/sql-select.html#SQL-WITH'
  expect(safeLink(page)).toBe(page)
})

test.each([
  undefined,
  '',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://www.postgresql.org/docs/',
  'https://evil.example/?rows=secret',
  'https://www.postgresql.org.evil.example/docs/',
  'https://www.postgresql.org/docs/../../search/?u=secret',
  'https://www.postgresql.org/docs/17/?q=secret',
  'https://www.postgresql.org@evil.example/docs/',
  'https://user:secret@www.postgresql.org/docs/',
  '//evil.example/x',
  '/logout',
  'https:\\\\evil.example/docs/',
])('%s stays text', (href) => expect(safeLink(href)).toBeUndefined())
