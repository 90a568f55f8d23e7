import { expect, test } from 'vitest'
import { matchingMembers, memberRows, rolesHeld } from './member-rows.ts'

const member = (name: string, role_ids: number[]) => ({
  gotrue_id: name,
  username: name,
  primary_email: `${name}@example.com`,
  mfa_enabled: false,
  is_sso_user: false,
  role_ids,
  metadata: {},
})
const rows = memberRows(
  [member('olga', [1]), member('dora', [1002, 1001]), member('lost', [1999])],
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
