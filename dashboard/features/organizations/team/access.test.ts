import { expect, test } from 'vitest'
import {
  type Access,
  accessOf,
  bodyOf,
  changesBetween,
  incomplete,
  noAccess,
  rolesIn,
  withProject,
  withRole,
} from './access.ts'
import type { MemberRow } from './member-rows.ts'

const books = { ref: 'books', name: 'Books' }
const maps = { ref: 'maps', name: 'Maps' }
const member = (more: Partial<MemberRow>): MemberRow => ({
  gotrue_id: 'ada',
  username: 'ada',
  primary_email: 'ada@example.com',
  mfa_enabled: false,
  is_sso_user: false,
  role_ids: [],
  metadata: {},
  role: undefined,
  projectRoles: [],
  ...more,
})
const scoped = accessOf(
  member({
    projectRoles: [
      { id: 1001, role: 'Administrator', projects: [books] },
      { id: 1002, role: 'Read-only', projects: [maps] },
    ],
  }),
)
const everywhere = (role: Access['role']): Access => ({ ...noAccess, role })

test('what a member has is what is sent when nothing is changed', () => {
  expect(bodyOf(accessOf(member({ role: 'Owner' })))).toEqual({ role_id: 1 })
  expect(bodyOf(scoped)).toEqual({
    project_roles: [
      { role_id: 2, role_scoped_projects: ['books'] },
      { role_id: 4, role_scoped_projects: ['maps'] },
    ],
  })
})

test('projects are chosen, left out, and get another role together', () => {
  const both = withProject(
    withProject({ ...noAccess, everywhere: false }, books, 'Developer'),
    maps,
    'Owner',
  )
  expect(rolesIn(both)).toEqual(['Owner', 'Developer'])
  expect(rolesIn(withRole(both, 'Read-only'))).toEqual(['Read-only'])
  expect([...withProject(both, books, undefined).projects.keys()]).toEqual(['maps'])
  expect(rolesIn(everywhere('Owner'))).toEqual(['Owner'])
})

test('roles for single projects need one', () => {
  expect(incomplete({ ...noAccess, everywhere: false })).toMatch(/at least one project/)
  expect(incomplete(scoped)).toBeUndefined()
  expect(incomplete(noAccess)).toBeUndefined()
})

test('the summary names each place where something changes, and nothing else', () => {
  expect(changesBetween(scoped, scoped)).toEqual([])
  expect(changesBetween(everywhere('Developer'), everywhere('Owner'))).toEqual([
    { where: 'All projects', before: 'Developer', after: 'Owner' },
  ])
  expect(changesBetween(everywhere('Developer'), scoped)).toEqual([
    { where: 'All projects', before: 'Developer', after: 'No role' },
    { where: 'Books', before: 'No role', after: 'Administrator' },
    { where: 'Maps', before: 'No role', after: 'Read-only' },
  ])
  expect(changesBetween(scoped, withProject(scoped, books, undefined))).toEqual([
    { where: 'Books', before: 'Administrator', after: 'No role' },
  ])
  // The projects are kept while the form says "everywhere"; they do not count then.
  expect(
    changesBetween({ ...scoped, everywhere: true, role: 'Owner' }, everywhere('Owner')),
  ).toEqual([])
})
