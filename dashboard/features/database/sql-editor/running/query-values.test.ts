import { expect, test } from 'vitest'
import { afterSave, copyOf, emptyValues, longestName, sameValues } from './query-values.ts'

test("after a save the server's word counts for what was left alone, one's own for the rest", () => {
  const sent = { ...emptyValues, name: ' Padded ', sql: 'select 1' }
  const now = { ...sent, sql: 'select 12' }
  expect(afterSave(now, sent, { ...sent, name: 'Padded' })).toEqual({
    ...emptyValues,
    name: 'Padded',
    sql: 'select 12',
  })
})

test('a copy is private and its name still fits', () => {
  const shared = {
    ...emptyValues,
    name: 'x'.repeat(longestName),
    sql: 'a',
    visibility: 'project' as const,
    favorite: true,
  }
  const copy = copyOf(shared)
  expect(copy).toMatchObject({ sql: 'a', visibility: 'user', favorite: false })
  expect(copy.name).toHaveLength(longestName)
  expect(copy.name.endsWith(' (copy)')).toBe(true)
})

test('every single value makes a difference', () => {
  const others = { name: 'n', sql: 's', description: 'd', visibility: 'project', favorite: true }
  for (const [key, value] of Object.entries(others))
    expect(sameValues(emptyValues, { ...emptyValues, [key]: value })).toBe(false)
  expect(sameValues(emptyValues, { ...emptyValues })).toBe(true)
})
