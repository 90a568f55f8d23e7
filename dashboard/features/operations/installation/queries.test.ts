import { expect, test } from 'vitest'
import type { InstallationEntry } from '#contract/operations/installation-logs'
import { withNewer } from './queries.ts'

const entry = (n: number): InstallationEntry => ({
  id: `1.${n}`,
  timestamp: '2026-01-01T00:00:00.000Z',
  level: 'info',
  program: 'launcher',
  message: `entry ${n}`,
  detail: '',
})
const page = (entries: InstallationEntry[], newer: string, older: string | null = null) => ({
  entries,
  newer,
  older,
  absent: null,
})

test('what is newer stands in front, and where to go on is known', () => {
  const data = { pages: [page([entry(1)], '1.2', '1.1'), page([entry(0)], '1.2')], pageParams: [] }
  const next = withNewer(data, page([entry(3), entry(2)], '1.4'))
  expect(next.pages.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual([
    '1.3',
    '1.2',
    '1.1',
    '1.0',
  ])
  expect(next.pages[0]).toMatchObject({ newer: '1.4', older: '1.1' })
})

test('a long list loses its oldest entries, which can be loaded again', () => {
  const many = Array.from({ length: 1999 }, (_, i) => entry(1999 - i))
  const data = { pages: [page(many, '1.2000'), page([entry(0)], '1.2000')], pageParams: [] }
  const next = withNewer(data, page([entry(2001), entry(2000)], '1.2002'))
  expect(next.pages).toHaveLength(1)
  expect(next.pages[0]?.entries).toHaveLength(2000)
  expect(next.pages[0]).toMatchObject({ newer: '1.2002', older: '1.2' })
})
