import { expect, test } from 'vitest'
import { createPolicy } from '#contract/ddl/policies'
import { newPolicy, ownerColumn, policyTemplates, problemsOf, specOf } from './policy-draft.ts'
import { readPoliciesSearch } from './search.ts'

const uuid = (name: string) => ({ name, type: 'uuid' })

test('the owner of a row is found by its column', () => {
  expect(ownerColumn([uuid('id'), uuid('created_by'), uuid('user_id')])).toBe('user_id')
  expect(ownerColumn([uuid('id'), uuid('team_owner')])).toBe('team_owner')
  expect(ownerColumn([uuid('id'), { name: 'user_id', type: 'text' }])).toBe('user_id')
})

test('every template fills a form that has nothing wrong with it', () => {
  const templates = policyTemplates({ columns: [uuid('User "id"')] })
  for (const { fill, title } of templates) {
    const draft = { ...newPolicy('public', 'notes'), ...fill }
    expect([title, problemsOf(draft, [])]).toEqual([title, {}])
    expect(createPolicy(specOf(draft)).statements[0]).toContain(' on public.notes')
  }
  const own = templates.find(({ id }) => id === 'own-read')
  expect(own?.fill.definition).toBe('(select auth.uid()) = "User ""id"""')
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
})

test('what a command does not ask is left out', () => {
  const draft = { ...newPolicy('s', 't'), name: ' a ', definition: ' x ', check: 'y' }
  expect(specOf(draft)).toMatchObject({ name: 'a', definition: 'x', check: null })
  expect(specOf({ ...draft, command: 'INSERT' })).toMatchObject({ definition: null, check: 'y' })
})

test('what is missing is said where it is missing', () => {
  const empty = newPolicy('s', 't')
  expect(Object.keys(problemsOf(empty, []))).toEqual(['name', 'definition'])
  expect(problemsOf({ ...empty, command: 'INSERT', roles: [], name: 'x' }, ['x'])).toEqual({
    name: 'Another policy of this table has this name',
    roles: 'Choose at least one role',
    check: 'Say which new rows are fine; true is all of them',
  })
})

test('an address may hold anything', () => {
  expect(readPoliciesSearch({ schema: 'app', find: 'x', tester: '12' })).toEqual({
    schema: 'app',
    find: 'x',
    tester: 12,
  })
  expect(readPoliciesSearch({ schema: 1, tester: 'x', more: true })).toEqual({})
})
