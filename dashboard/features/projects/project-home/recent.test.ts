import { expect, test } from 'vitest'
import { recentOf } from './recent.ts'

const action = (id: string, at: string) => ({
  id,
  action: 'projects.update',
  by: null,
  occurred_at: at,
})
const migration = (version: string) => ({ version, name: null, created_by: 'ada@example.com' })

test('both kinds are one list, newest first', () => {
  const list = recentOf(
    [action('2', '2026-02-01T00:00:00.000Z'), action('1', '2026-01-01T00:00:00.000Z')],
    [migration('20260115120000')],
  )
  expect(list.map(({ kind, at }) => [kind, at])).toEqual([
    ['action', '2026-02-01T00:00:00.000Z'],
    ['migration', '2026-01-15T12:00:00.000Z'],
    ['action', '2026-01-01T00:00:00.000Z'],
  ])
  expect(list[1]).toMatchObject({ what: '20260115120000', by: 'ada@example.com' })
})

test('a migration whose version is no moment has no place in time', () => {
  expect(recentOf([], [migration('7'), migration('001')])).toEqual([])
})

test('six at most', () => {
  const many = Array.from({ length: 9 }, (_, at) =>
    action(String(at), `2026-01-0${at + 1}T00:00:00Z`),
  )
  expect(recentOf(many, [])).toHaveLength(6)
})
