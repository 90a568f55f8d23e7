import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allows,
  matchesPattern,
  parentRefOf,
  targetOf,
  type Action,
  type Permission,
} from './permissions.ts'

const slugs = ['acme', 'umbrella']
const refs = ['books', 'maps', 'other']
const asked = ['read:Read', 'write:Update', 'infra:Execute'] as const satisfies Action[]
const things = ['projects', 'field.jwt_secret', 'user_content']
const patterns = (values: readonly string[], more: string[]) =>
  fc.uniqueArray(fc.constantFrom(...values, ...more), { maxLength: 3 })

const row: fc.Arbitrary<Permission> = fc.record({
  actions: patterns(asked, ['%', 'write:%', '%Read']),
  resources: patterns(things, ['%', 'field.%', 'field_jwt_secret']),
  condition: fc.constantFrom(null, { '==': [{ var: 'flag' }, true] }, { '!': [{ var: 'flag' }] }),
  restrictive: fc.boolean(),
  organization_id: fc.constant(1),
  organization_slug: fc.constantFrom(...slugs),
  project_ids: fc.constant([]),
  project_refs: fc.uniqueArray(fc.constantFrom(...refs), { maxLength: 2 }),
})
const question = fc.record({
  rows: fc.array(row, { maxLength: 8 }),
  action: fc.constantFrom(...asked),
  resource: fc.constantFrom(...things),
  slug: fc.constantFrom(...slugs),
  ref: fc.option(fc.constantFrom(...refs), { nil: undefined }),
  flag: fc.boolean(),
})
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

const ask = ({ rows, action, resource, slug, ref, flag }: Question) =>
  allows(rows, action, resource, { organizationSlug: slug, projectRef: ref }, { flag })

/** `%` any text, everything else itself, sign by sign. */
const fits = (pattern: string, value: string): boolean => {
  if (pattern === '') return value === ''
  if (pattern[0] === '%') {
    return fits(pattern.slice(1), value) || (value !== '' && fits(pattern, value.slice(1)))
  }
  return pattern[0] === value[0] && fits(pattern.slice(1), value.slice(1))
}

/** The rule of facts §2.1 read aloud, one sentence after the other, with none of the code it checks. */
function oracle({ rows, action, resource, slug, ref, flag }: Question): boolean {
  const matching: Permission[] = []
  for (const one of rows) {
    if (one.organization_slug !== slug) continue
    if (!one.actions.some((pattern) => fits(pattern, action))) continue
    if (!one.resources.some((pattern) => fits(pattern, resource))) continue
    matching.push(one)
  }
  const naming = matching.filter((one) => ref !== undefined && one.project_refs.includes(ref))
  const deciding = naming.length > 0 ? naming : matching.filter((one) => !one.project_refs[0])
  const met = (one: Permission) =>
    one.condition === null || ('==' in (one.condition as object) ? flag : !flag)
  for (const one of deciding) if (one.restrictive && met(one)) return false
  for (const one of deciding) if (!one.restrictive && met(one)) return true
  return false
}

test('the rule decides as its plain reading does', () => {
  fc.assert(
    fc.property(question, (asking) => {
      expect(ask(asking)).toBe(oracle(asking))
    }),
    { numRuns: 3000 },
  )
})

test('any pattern matches what its plain reading matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '%', '.'), maxLength: 8 })
  fc.assert(
    fc.property(text, text, (pattern, value) => {
      const plain = value.replaceAll('%', 'c')
      expect(matchesPattern(pattern, plain)).toBe(fits(pattern, plain))
    }),
    { numRuns: 3000 },
  )
})

test('rows of another organization or for another project never decide', () => {
  fc.assert(
    fc.property(question, (asking) => {
      const { rows, slug, ref } = asking
      const own = rows.filter(
        (one) =>
          one.organization_slug === slug &&
          (one.project_refs.length === 0 || (ref !== undefined && one.project_refs.includes(ref))),
      )
      expect(ask(asking)).toBe(ask({ ...asking, rows: own }))
    }),
    { numRuns: 2000 },
  )
})

test('the order of the rows does not matter', () => {
  fc.assert(
    fc.property(question, (asking) => {
      expect(ask(asking)).toBe(ask({ ...asking, rows: asking.rows.toReversed() }))
    }),
  )
})

test('a branch counts as the project it belongs to', () => {
  const project = { ref: 'maps', organization_slug: 'acme', parent_project_ref: null }
  expect(targetOf(project)).toEqual({ organizationSlug: 'acme', projectRef: 'maps' })
  expect(parentRefOf(project)).toBe('maps')
  expect(targetOf({ ...project, parent_project_ref: 'books' }).projectRef).toBe('books')
})
