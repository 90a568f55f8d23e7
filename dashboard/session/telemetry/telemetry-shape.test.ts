import { expect, test } from 'vitest'
import { namesOf, plain, withoutQuery } from './telemetry-shape.ts'

test('of a query only the names are sent, each once', () => {
  expect(namesOf('?token=secret&error=&token=other')).toBe('token&error')
  expect(namesOf('')).toBe('')
})

test('an address is sent without its query and fragment, where tokens stand', () => {
  expect(withoutQuery('https://a.example/join?token=secret')).toBe('https://a.example/join')
  expect(withoutQuery('https://a.example/x#access_token=secret')).toBe('https://a.example/x')
})

test('properties are plain and short; anything else is left out', () => {
  expect(
    plain({
      feature: 'new-storage-ui',
      rows: 3,
      ok: true,
      none: null,
      sql: 'x'.repeat(201),
      row: { a: 1 },
      list: [1],
      endless: Infinity,
      missing: undefined,
    }),
  ).toEqual({ feature: 'new-storage-ui', rows: 3, ok: true, none: null })
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, n]))
  expect(Object.keys(plain(many))).toHaveLength(20)
})
