import { expect, test } from 'vitest'
import type { Extension } from '#contract/database/database-object-shapes'
import { extensionCatalogue, extensionTags } from '#contract/database/extensions'
import { extensionRows, matchingRows, missingOf, updateOf } from './extension-rows.ts'

const extension = (name: string, more: Partial<Extension> = {}): Extension => ({
  name,
  schema: null,
  default_version: '1.0',
  installed_version: null,
  comment: 'Said by the server',
  requires: [],
  required_by: [],
  fixed_schema: null,
  relocatable: true,
  may_enable: true,
  may_change: false,
  ...more,
})

const offered = [
  extension('citext', { installed_version: '1.6' }),
  extension('hstore'),
  extension('postgres_fdw', { may_enable: false }),
  extension('earthdistance', { requires: ['cube'] }),
  extension('cube', { may_enable: false }),
  extension('homemade'),
]
const rows = extensionRows(extensionCatalogue, offered)
const stateOf = (name: string) => rows.find((row) => row.name === name)?.state

test('the catalogue is whole: every entry has a name of its own, words, known tags and a link', () => {
  expect(extensionCatalogue.length).toBeGreaterThanOrEqual(72)
  expect(new Set(extensionCatalogue.map(({ name }) => name)).size).toBe(extensionCatalogue.length)
  for (const entry of extensionCatalogue) {
    expect(entry.comment, entry.name).not.toBe('')
    expect(extensionTags, entry.name).toEqual(expect.arrayContaining(entry.tags))
    expect(entry.link, entry.name).toMatch(/^https:\/\//)
    expect(entry.product === null || entry.product_url !== null || entry.name === 'vector').toBe(
      true,
    )
  }
  expect(extensionCatalogue.find(({ name }) => name === 'plv8')?.deprecated).toEqual([
    'Postgres 17',
  ])
})

test('what the server has is told apart from what it has not and from what its operator keeps', () => {
  expect(stateOf('citext')).toBe('enabled')
  expect(stateOf('hstore')).toBe('available')
  expect(stateOf('postgres_fdw')).toBe('operator')
  expect(stateOf('earthdistance'), 'what it needs is kept').toBe('operator')
  expect(stateOf('postgis')).toBe('absent')
  expect(rows.find(({ name }) => name === 'homemade')).toMatchObject({
    state: 'available',
    comment: 'Said by the server',
  })
  expect(rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name).toSorted())
})

test('what an extension needs is found in any depth, and a circle does not hang', () => {
  const byName = new Map(
    [
      extension('a', { requires: ['b', 'gone'] }),
      extension('b', { requires: ['c', 'a'] }),
      extension('c', { requires: ['d'] }),
      extension('d', { installed_version: '1' }),
    ].map((one) => [one.name, one]),
  )
  const a = byName.get('a') ?? extension('a')
  expect(missingOf(a, byName).map(({ name }) => name)).toEqual(['b', 'c'])
})

test('rows are narrowed by words, tag and state', () => {
  const names = (filter: object) => matchingRows(rows, filter).map(({ name }) => name)
  expect(names({ q: 'FUZZY' })).toEqual(['fuzzystrmatch'])
  expect(names({ q: 'similarities strings' })).toEqual(['fuzzystrmatch'])
  expect(names({ state: 'enabled' })).toEqual(['citext'])
  expect(names({ state: 'operator' })).toContain('postgres_fdw')
})

test('what the server has not got is shown to who looks for it, by its state or by its words', () => {
  const names = (filter: object) => matchingRows(rows, filter).map(({ name }) => name)
  expect(names({})).toEqual(
    ['citext', 'cube', 'earthdistance', 'homemade', 'hstore', 'postgres_fdw'].toSorted(),
  )
  expect(names({ state: 'absent' })).toContain('postgis')
  expect(names({ q: 'timescaledb' })).toEqual(['timescaledb'])
  expect(names({ tag: 'Time Series' })).toEqual([])
  expect(names({ tag: 'Time Series', state: 'absent' })).toEqual(['timescaledb'])
})

test('a newer version is offered where an older one is installed', () => {
  const row = (more: Partial<Extension>) => {
    const [one] = extensionRows([], [extension('a', more)])
    return one && updateOf(one)
  }
  expect(row({ installed_version: '0.9' })).toBe('1.0')
  expect(row({ installed_version: '1.0' })).toBeUndefined()
  expect(row({})).toBeUndefined()
  expect(row({ installed_version: '1.0', default_version: null })).toBeUndefined()
})
