import { expect, test } from 'vitest'
import { allows, roleNames, type Permission, type RoleName } from './permissions.ts'
import { planIds } from './billing/plans.ts'
import { type MatrixLine, type MatrixNeed, roleMatrix } from './organizations/role-matrix.ts'
import { guestGrants, roleGrants, roleId, roleOfId, rolesByPlan, type RoleGrant } from './roles.ts'

const rows = (grants: readonly RoleGrant[], project_refs: string[] = []): Permission[] =>
  grants.map((grant) => ({
    actions: [...grant.actions],
    resources: [...grant.resources],
    condition: grant.condition ?? null,
    restrictive: grant.restrictive ?? false,
    organization_id: 1,
    organization_slug: 'acme',
    project_ids: [],
    project_refs,
  }))

const ask = (held: Permission[], need: MatrixNeed, projectRef = 'books') =>
  allows(
    held,
    need.action,
    need.resource,
    { organizationSlug: 'acme', projectRef: need.in === 'project' ? projectRef : undefined },
    {
      subject: { id: 'ada' },
      resource: {
        owner_id: 'ada',
        type: need.type,
        role_id: need.role && roleId(need.role),
      },
    },
  )

const lines: [string, MatrixLine][] = roleMatrix.flatMap(({ title, lines: of }) =>
  of.map((line): [string, MatrixLine] => [`${title}: ${line.what} (${line.who})`, line]),
)
const letters: Record<RoleName, string> = {
  Owner: 'O',
  Administrator: 'A',
  Developer: 'D',
  'Read-only': 'R',
}

test.each(lines)('%s', (_, { who, needs }) => {
  expect(needs.length).toBeGreaterThan(0)
  for (const need of needs) {
    for (const role of roleNames) {
      expect(
        ask(rows(roleGrants[role]), need),
        `${role} ${need.action} ${need.resource} ${need.role ?? ''}`,
      ).toBe(who.includes(letters[role]))
    }
  }
})

test('a role for one project is the same role there, and nothing anywhere else', () => {
  for (const [name, { who, needs }] of lines) {
    for (const need of needs) {
      for (const role of roleNames) {
        const held = [...rows(guestGrants), ...rows(roleGrants[role], ['books'])]
        if (need.in === 'project') {
          expect(ask(held, need), `${name}: ${role}`).toBe(who.includes(letters[role]))
          expect(ask(held, need, 'other'), `${name}: ${role} elsewhere`).toBe(false)
        } else {
          const seen = need.action === 'read:Read' && ['members', 'roles'].includes(need.resource)
          expect(ask(held, need), `${name}: ${role} in the organization`).toBe(seen)
        }
      }
    }
  }
})

test('nobody but Owners invites an Owner', () => {
  const invite: MatrixNeed = {
    action: 'write:Create',
    resource: 'user_invites',
    in: 'organization',
    role: 'Owner',
  }
  expect(roleNames.filter((role) => ask(rows(roleGrants[role]), invite))).toEqual(['Owner'])
})

test('the snippets of others are nobody’s to change without a role that changes everything', () => {
  const held = rows(roleGrants.Developer)
  const target = { organizationSlug: 'acme', projectRef: 'books' }
  const data = { subject: { id: 'ada' }, resource: { owner_id: 'bob', type: 'sql' } }
  expect(allows(held, 'write:Update', 'user_content', target, data)).toBe(false)
})

test('role ids are the places in the list', () => {
  expect(roleNames.map(roleId)).toEqual([1, 2, 3, 4])
  expect([0, 1, 4, 5, 1001].map(roleOfId)).toEqual([
    undefined,
    'Owner',
    'Read-only',
    undefined,
    undefined,
  ])
})

test('every plan offers the roles of the requirements', () => {
  expect(
    planIds.map((plan) => [plan, rolesByPlan[plan].roles, rolesByPlan[plan].perProject]),
  ).toEqual([
    ['free', ['Owner', 'Administrator', 'Developer'], 'none'],
    ['pro', ['Owner', 'Administrator', 'Developer'], 'none'],
    ['team', ['Owner', 'Administrator', 'Developer', 'Read-only'], 'predefined'],
    ['enterprise', ['Owner', 'Administrator', 'Developer', 'Read-only'], 'custom'],
  ])
})
