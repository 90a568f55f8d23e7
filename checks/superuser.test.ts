import { expect, test } from 'vitest'
import { readSources } from './sources.ts'
import { superuserElsewhere, superuserFiles } from './superuser.ts'

const sources = readSources()

test('only known files name the superuser of projects, and one opens its sessions', () => {
  expect(superuserElsewhere(sources)).toEqual([])
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  expect(Object.keys(superuserFiles).filter((path) => !texts.has(path))).toEqual([])
  const connects = Object.keys(superuserFiles).filter((path) =>
    /user: 'supabase_admin'/.test(texts.get(path) ?? ''),
  )
  expect(connects).toEqual(['compute/local/admin-session.ts'])
})

test('another file that would connect as it is found', () => {
  const text = "withClient({ host, user: 'supabase_admin' }, work)"
  expect(superuserElsewhere([{ path: 'kit/somewhere.ts', text }])).toEqual(['kit/somewhere.ts'])
  expect(superuserElsewhere([{ path: 'kit/some.db.test.ts', text }])).toEqual([])
})
