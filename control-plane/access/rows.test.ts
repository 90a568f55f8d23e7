import { expect, test } from 'vitest'
import { rowsOf } from './rows.ts'

const acme = { organizationId: '7', organizationSlug: 'acme', requiresMfa: false }
const books = { id: 1, ref: 'books' }

test('a role for the organization gives rows without projects', () => {
  const rows = rowsOf({ ...acme, role: 'Owner', projectRoles: [] })
  expect(rows).toEqual([
    {
      actions: ['%'],
      resources: ['%'],
      condition: null,
      restrictive: false,
      organization_id: 7,
      organization_slug: 'acme',
      project_ids: [],
      project_refs: [],
    },
  ])
})

test('a role for projects names them in each of its rows', () => {
  const rows = rowsOf({
    ...acme,
    role: null,
    projectRoles: [{ role: 'Administrator', projects: [books] }],
  })
  const all = rows.filter((row) => row.actions.includes('%') || row.restrictive)
  expect(all.length).toBeGreaterThan(1)
  expect(all.every((row) => row.project_refs.join() === 'books')).toBe(true)
  expect(all.every((row) => row.project_ids.join() === '1')).toBe(true)
})

test('a role whose projects are all gone is not one for everything', () => {
  const rows = rowsOf({ ...acme, role: null, projectRoles: [{ role: 'Owner', projects: [] }] })
  expect(rows.some((row) => row.actions.includes('%'))).toBe(false)
})
