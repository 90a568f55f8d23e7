import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allows, holds, matchesPattern, type Permission } from './permissions.ts'

const row = (more: Partial<Permission>): Permission => ({
  actions: ['%'],
  resources: ['%'],
  condition: null,
  restrictive: false,
  organization_id: 1,
  organization_slug: 'acme',
  project_ids: [],
  project_refs: [],
  ...more,
})
const acme = { organizationSlug: 'acme' }
const books = { organizationSlug: 'acme', projectRef: 'books' }

test.each([
  ['%', 'anything:at.all', true],
  ['read:Read', 'read:Read', true],
  ['read:Read', 'read:Readx', false],
  ['tenant:Sql:%', 'tenant:Sql:Query', true],
  ['a.b', 'axb', false],
  ['', '', true],
  ['', 'x', false],
  ['%', '', true],
  ['%%', 'ab', true],
  ['a%a', 'a', false],
  ['a%a', 'aa', true],
  ['%ab%ab', 'ab', false],
  ['%ab%ab', 'abab', true],
  ['service_api_keys%', 'service_api_keys.service_role_key', true],
])('pattern %s and %s: %s', (pattern, value, matches) => {
  expect(matchesPattern(pattern, value)).toBe(matches)
})

test('a pattern without % matches itself only', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      fc.pre(!a.includes('%'))
      expect(matchesPattern(a, b)).toBe(a === b)
    }),
  )
})

test('nothing is allowed without a row, nor by the row of another organization', () => {
  expect(allows([], 'read:Read', 'projects', acme)).toBe(false)
  const other = row({ organization_slug: 'umbrella' })
  expect(allows([other], 'read:Read', 'projects', acme)).toBe(false)
})

test('a restrictive row wins over any number of others', () => {
  const rows = [row({}), row({}), row({ resources: ['organizations'], restrictive: true })]
  expect(allows(rows, 'write:Update', 'organizations', acme)).toBe(false)
  expect(allows(rows, 'write:Update', 'projects', acme)).toBe(true)
})

test('rows that name the project in view decide alone', () => {
  const rows = [row({}), row({ actions: ['read:Read'], project_refs: ['books'] })]
  expect(allows(rows, 'write:Delete', 'projects', acme)).toBe(true)
  expect(allows(rows, 'read:Read', 'projects', books)).toBe(true)
  // Its row matches reading only, so the organization's row decides on deleting.
  expect(allows(rows, 'write:Delete', 'projects', books)).toBe(true)
  expect(allows([row({ project_refs: ['books'] })], 'read:Read', 'projects', acme)).toBe(false)
  const locked = [row({}), row({ project_refs: ['books'], restrictive: true })]
  expect(allows(locked, 'read:Read', 'projects', books)).toBe(false)
})

test('a condition must be true', () => {
  const own = row({ condition: { '==': [{ var: 'resource.owner_id' }, { var: 'subject.id' }] } })
  const data = (owner: string) => ({ resource: { owner_id: owner }, subject: { id: 'ada' } })
  expect(allows([own], 'write:Update', 'user_content', acme, data('ada'))).toBe(true)
  expect(allows([own], 'write:Update', 'user_content', acme, data('bob'))).toBe(false)
  expect(allows([own], 'write:Update', 'user_content', acme)).toBe(false)
})

test('unknown operators and strange data deny', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (condition) => {
      fc.pre(condition !== true)
      expect(typeof holds(condition, {})).toBe('boolean')
    }),
  )
  expect(holds({ constructor: [] }, {})).toBe(false)
  expect(holds({ '==': [{ var: '__proto__.x' }, undefined] }, {})).toBe(false)
})
