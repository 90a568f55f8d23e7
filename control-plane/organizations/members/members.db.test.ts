import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RoleName } from '#contract/permissions'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { addMember, refused, startTeam, type Team } from '../../testing/members.ts'

let team: Team
let plane: TestControlPlane
let owner: Person
let admin: Person
let developer: Person
let reader: Person
let stranger: Person
let books: string
let maps: string
let foreign: string

const base = '/platform/organizations/acme/members'
const of = (who: Person) => `${base}/${who.userId}`

beforeAll(async () => {
  team = await startTeam()
  ;({ plane, owner, admin, developer, reader, stranger, books, maps, foreign } = team)
})
afterAll(() => plane.end())
beforeEach(() => team.reset())

const roleOf = async (who: Person) => {
  const list = await owner.call('GET', base)
  const found = Object.values(list.body).find(
    (one) => (one as { gotrue_id: string }).gotrue_id === who.userId,
  )
  return (found as { role_ids: number[] } | undefined)?.role_ids
}
const notAllowed = refused(403, 'not_allowed')

test.each([
  ['neither role_id nor project_roles', {}],
  ['both', { role_id: 3, project_roles: [{ role_id: 3, role_scoped_projects: ['a'.repeat(20)] }] }],
  ['a role that is none', { role_id: 'Owner' }],
  ['no projects', { role_id: 3, role_scoped_projects: [] }],
  ['a ref that is none', { role_id: 3, role_scoped_projects: ['books'] }],
])('a change of roles with %s is refused', async (_, body) => {
  expect(await owner.call('PATCH', of(developer), body)).toMatchObject(
    refused(400, 'invalid_input'),
  )
})

test.each([
  ['GET', ''],
  ['PATCH', '/x'],
  ['DELETE', '/x'],
  ['PUT', '/x/roles/1'],
  ['DELETE', '/x/roles/1'],
] as const)('%s members%s shows a stranger nothing', async (method, path) => {
  const url = base + path.replace('x', developer.userId)
  const body = { role_id: 1, role_scoped_projects: [books] }
  expect(await stranger.call(method, url, method === 'GET' ? undefined : body)).toMatchObject(
    refused(404, 'organization_not_found'),
  )
})

test('a member of another organization is not changed through one’s own', async () => {
  const through = `/platform/organizations/umbrella/members/${developer.userId}`
  expect(await stranger.call('PATCH', through, { role_id: 4 })).toMatchObject(
    refused(404, 'member_not_found'),
  )
  expect(await stranger.call('DELETE', through)).toMatchObject(refused(404, 'member_not_found'))
  expect(await roleOf(developer)).toEqual([3])
})

test('nobody raises themselves or others above their own power', async () => {
  for (const who of [developer, reader]) {
    expect(await who.call('PATCH', of(who), { role_id: 1 })).toMatchObject(notAllowed)
    expect(await who.call('PATCH', of(admin), { role_id: 4 })).toMatchObject(notAllowed)
    expect(await who.call('DELETE', of(admin))).toMatchObject(notAllowed)
  }
  // An Administrator neither becomes an Owner, nor makes one, nor one of a single project.
  expect(await admin.call('PATCH', of(admin), { role_id: 1 })).toMatchObject(notAllowed)
  expect(await admin.call('PATCH', of(developer), { role_id: 1 })).toMatchObject(notAllowed)
  const ofProject = { role_id: 1, role_scoped_projects: [books] }
  expect(await admin.call('PATCH', of(developer), ofProject)).toMatchObject(notAllowed)
  expect(
    await admin.call('PATCH', of(developer), {
      project_roles: [
        { role_id: 3, role_scoped_projects: [maps] },
        { role_id: 1, role_scoped_projects: [books] },
      ],
    }),
  ).toMatchObject(notAllowed)
  // Nor takes an Owner down or out.
  expect(await admin.call('PATCH', of(owner), { role_id: 3 })).toMatchObject(notAllowed)
  expect(await admin.call('DELETE', of(owner))).toMatchObject(notAllowed)
  expect(await roleOf(owner)).toEqual([1])
  expect(await roleOf(developer)).toEqual([3])
})

test('an Administrator changes and removes who is not an Owner', async () => {
  expect(await admin.call('PATCH', of(developer), { role_id: 2 })).toMatchObject({
    status: 200,
    body: { role_ids: [2] },
  })
  expect((await admin.call('DELETE', of(developer))).status).toBe(200)
  expect(await roleOf(developer)).toBeUndefined()
})

test('a role of another organization, or of nobody, does not exist', async () => {
  const theirs = await stranger.call(
    'PATCH',
    `/platform/organizations/umbrella/members/${stranger.userId}`,
    { role_id: 3, role_scoped_projects: [foreign] },
  )
  // The last Owner of Umbrella keeps it; an own role there is made for somebody else.
  expect(theirs).toMatchObject(refused(409, 'last_owner'))
  await addMember(plane, 'umbrella', developer, null, [['Developer', [foreign]]])
  const roles = await stranger.call('GET', '/platform/organizations/umbrella/roles')
  const [{ id } = { id: 0 }] = roles.body['project_scoped_roles'] as { id: number }[]
  expect(id).toBeGreaterThan(1000)
  for (const role of [id, 999_999, 3]) {
    const url = `${of(developer)}/roles/${role}`
    expect(await owner.call('PUT', url, { role_scoped_projects: [books] })).toMatchObject(
      refused(404, 'role_not_found'),
    )
  }
  expect(await owner.call('PATCH', of(developer), { role_id: id })).toMatchObject(
    refused(404, 'role_not_found'),
  )
  expect(await owner.call('DELETE', `${of(developer)}/roles/${id}`)).toMatchObject(
    refused(404, 'role_not_found'),
  )
  const out = `/platform/organizations/umbrella/members/${developer.userId}`
  expect((await stranger.call('DELETE', out)).status).toBe(200)
})

test('the last Owner stays one: neither leaves, nor is demoted, also when two go at once', async () => {
  const only = refused(409, 'last_owner')
  expect(await owner.call('DELETE', of(owner))).toMatchObject(only)
  expect(await owner.call('PATCH', of(owner), { role_id: 2 })).toMatchObject(only)
  const scoped = { role_id: 1, role_scoped_projects: [books] }
  expect(await owner.call('PATCH', of(owner), scoped)).toMatchObject(only)

  await addMember(plane, 'acme', admin, 'Owner')
  const both = await Promise.all([owner.call('DELETE', of(owner)), admin.call('DELETE', of(admin))])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test.each<RoleName | null>(['Administrator', 'Developer', 'Read-only', null])(
  'a member (%s) leaves; the access of who is out has ended',
  async (role) => {
    await addMember(plane, 'acme', developer, role, role ? [] : [['Developer', [books]]])
    expect((await developer.call('GET', `/platform/projects/${books}`)).status).toBe(200)
    expect((await developer.call('DELETE', of(developer))).status).toBe(200)
    expect(await developer.call('GET', `/platform/projects/${books}`)).toMatchObject(
      refused(404, 'project_not_found'),
    )
    expect(await developer.call('GET', base)).toMatchObject(refused(404, 'organization_not_found'))
  },
)

test('the list tells of second factors and single sign-on; changes are in the audit log', async () => {
  plane.world.facts.set(admin.userId, { mfaEnabled: true, isSsoUser: false })
  plane.world.facts.set(reader.userId, { mfaEnabled: false, isSsoUser: true })
  const list = Object.values((await reader.call('GET', base)).body)
  expect(list).toMatchObject([
    { primary_email: 'adam@example.com', mfa_enabled: true, role_ids: [2] },
    { primary_email: 'dora@example.com', mfa_enabled: false },
    { primary_email: 'olga@example.com', role_ids: [1] },
    { primary_email: 'rene@example.com', is_sso_user: true, role_ids: [4] },
  ])
  await owner.call('PATCH', of(developer), { role_id: 2 })
  const entry = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'actor_email', 'target', 'change'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    action: 'members.update',
    actor_email: 'olga@example.com',
    target: `member:${developer.userId}`,
    change: {
      before: { email: 'dora@example.com', role: 'Developer' },
      after: { role: 'Administrator' },
    },
  })
})
