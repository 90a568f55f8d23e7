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
  type MemberRow,
  matchingMembers,
  memberRows,
  rolesHeld,
} from './access.ts'

const memberNamed = (name: string, role_ids: number[]) => ({
  gotrue_id: name,
  username: name,
  primary_email: `${name}@example.com`,
  mfa_enabled: false,
  is_sso_user: false,
  role_ids,
  metadata: {},
})
const rows = memberRows(
  [memberNamed('olga', [1]), memberNamed('dora', [1002, 1001]), memberNamed('lost', [1999])],
  {
    org_scoped_roles: [],
    project_scoped_roles: [
      {
        id: 1001,
        name: 'Administrator',
        description: null,
        base_role_id: 2,
        project_ids: [1],
        projects: [{ ref: 'books', name: 'Books' }],
      },
      {
        id: 1002,
        name: 'Read-only',
        description: null,
        base_role_id: 4,
        project_ids: [2],
        projects: [{ ref: 'maps', name: 'Maps' }],
      },
    ],
  },
)

test('members get the names of their roles and projects', () => {
  expect(rows).toMatchObject([
    { role: 'Owner', projectRoles: [] },
    {
      role: undefined,
      projectRoles: [
        { role: 'Administrator', projects: [{ name: 'Books' }] },
        { role: 'Read-only', projects: [{ name: 'Maps' }] },
      ],
    },
    // Its role is gone between the two reads.
    { role: undefined, projectRoles: [] },
  ])
  expect(rows.map(rolesHeld)).toEqual([['Owner'], ['Administrator', 'Read-only'], []])
})

test('the filter looks at addresses, roles and projects', () => {
  const found = (typed: string) => matchingMembers(rows, typed).map(({ username }) => username)
  expect(found('')).toEqual(['olga', 'dora', 'lost'])
  expect(found('OLGA')).toEqual(['olga'])
  expect(found('read maps')).toEqual(['dora'])
  expect(found('read books olga')).toEqual([])
})

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
