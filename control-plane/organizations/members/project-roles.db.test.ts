import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { projectIn, refused, startTeam, type Team } from '../../testing/members.ts'

let team: Team
let plane: TestControlPlane
let owner: Person
let developer: Person
let reader: Person
let books: string
let maps: string
let foreign: string

const base = '/platform/organizations/acme/members'
const of = (who: Person) => `${base}/${who.userId}`

beforeAll(async () => {
  team = await startTeam()
  ;({ plane, owner, developer, reader, books, maps, foreign } = team)
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

test('a project of another organization cannot be in a role', async () => {
  const body = { role_id: 3, role_scoped_projects: [books, foreign] }
  expect(await owner.call('PATCH', of(developer), body)).toMatchObject(
    refused(404, 'project_not_found'),
  )
  expect(await roleOf(developer)).toEqual([3])
})

test('roles for single projects: only these projects, and little of the organization', async () => {
  const given = await owner.call('PATCH', of(developer), {
    project_roles: [
      { role_id: 2, role_scoped_projects: [books] },
      { role_id: 4, role_scoped_projects: [maps] },
    ],
  })
  expect(given).toMatchObject({ status: 200 })
  const other = await projectIn(plane, 'acme', 'Secret')

  const organizations = await developer.call('GET', '/platform/organizations')
  expect(Object.values(organizations.body)).toMatchObject([
    { slug: 'acme', role: null, is_owner: false, project_count: 2 },
  ])
  for (const url of ['/platform/projects', '/platform/organizations/acme/projects']) {
    const seen = await developer.call('GET', url)
    expect((seen.body['projects'] as { ref: string }[]).map(({ ref }) => ref).toSorted()).toEqual(
      [books, maps].toSorted(),
    )
    expect(seen.body['pagination']).toMatchObject({ count: 2 })
  }
  expect((await developer.call('GET', `/platform/projects/${books}`)).status).toBe(200)
  expect(await developer.call('GET', `/platform/projects/${other}`)).toMatchObject(
    refused(404, 'project_not_found'),
  )
  const rename = (ref: string, name: string) =>
    developer.call('PATCH', `/platform/projects/${ref}`, { name })
  expect((await rename(books, 'Books again')).status).toBe(200)
  expect(await rename(maps, 'Maps again')).toMatchObject(notAllowed)
  expect(await rename(other, 'Mine')).toMatchObject(refused(404, 'project_not_found'))

  // Of the organization: its name and people, not what it pays or who is invited, and nothing to change.
  expect((await developer.call('GET', '/platform/organizations/acme')).status).toBe(200)
  expect((await developer.call('GET', base)).status).toBe(200)
  expect(await developer.call('GET', `${base}/invitations`)).toMatchObject(notAllowed)
  expect(
    await developer.call('POST', '/platform/projects', {
      name: 'New one',
      organization_slug: 'acme',
      db_pass: 'a long and winding password 42!',
      db_region: 'eu-central-1',
    }),
  ).toMatchObject(notAllowed)
  expect(await developer.call('PATCH', of(developer), { role_id: 2 })).toMatchObject(notAllowed)

  const rows = Object.values((await developer.call('GET', '/platform/profile/permissions')).body)
  const refs = (rows as { project_refs: string[] }[]).map((row) => row.project_refs.join())
  expect(new Set(refs)).toEqual(new Set(['', books, maps]))
})

test('a role for single projects gets other projects, is taken, and is not the last to be taken', async () => {
  await owner.call('PATCH', of(developer), {
    project_roles: [
      { role_id: 3, role_scoped_projects: [books] },
      { role_id: 4, role_scoped_projects: [maps] },
    ],
  })
  const [first = 0, second = 0] = (await roleOf(developer)) ?? []
  const url = (id: number) => `${of(developer)}/roles/${id}`
  expect(await reader.call('PUT', url(first), { role_scoped_projects: [maps] })).toMatchObject(
    notAllowed,
  )
  expect(await reader.call('DELETE', url(first))).toMatchObject(notAllowed)

  // Taking the project of the other role leaves that one with nothing: it ends.
  expect(
    await owner.call('PUT', url(first), { role_scoped_projects: [books, maps] }),
  ).toMatchObject({ status: 200, body: { role_ids: [first] } })
  expect(await owner.call('DELETE', url(second))).toMatchObject(refused(404, 'role_not_found'))
  expect(await owner.call('DELETE', url(first))).toMatchObject(refused(409, 'last_role'))
  const roles = await owner.call('GET', '/platform/organizations/acme/roles')
  expect(roles.body['project_scoped_roles']).toMatchObject([
    { id: first, name: 'Developer', base_role_id: 3, projects: [{ ref: books }, { ref: maps }] },
  ])
  // A role for the organization takes their place.
  expect(await owner.call('PATCH', of(developer), { role_id: 3 })).toMatchObject({
    body: { role_ids: [3] },
  })
})

test.each<[string, object, string | undefined]>([
  ['tier_free', { role_id: 4 }, 'Read-only'],
  ['tier_pro', { role_id: 4 }, 'Read-only'],
  ['tier_payg', { role_id: 3, role_scoped_projects: ['books'] }, 'single projects'],
  ['tier_team', { role_id: 4 }, undefined],
  ['tier_team', { role_id: 3, role_scoped_projects: ['books', 'maps'] }, undefined],
  ['tier_team', { mixed: true }, 'same role'],
  ['tier_enterprise', { mixed: true }, undefined],
])('what %s offers: %o', async (tier, asked, refusal) => {
  const refs = { books, maps }
  const body =
    'mixed' in asked
      ? {
          project_roles: [
            { role_id: 3, role_scoped_projects: [books] },
            { role_id: 4, role_scoped_projects: [maps] },
          ],
        }
      : JSON.parse(JSON.stringify(asked), (_, value: unknown) =>
          value === 'books' || value === 'maps' ? refs[value] : value,
        )
  const setTier = (to: string) =>
    plane.db
      .updateTable('platform.organizations')
      // The test's own list of tiers.
      .set({ tier: to as 'tier_free' })
      .where('slug', '=', 'acme')
      .execute()
  await setTier(tier)
  const answer = await owner.call('PATCH', of(developer), body)
  await setTier('tier_enterprise')
  if (refusal === undefined) expect(answer.status).toBe(200)
  else {
    expect(answer).toMatchObject(refused(403, 'plan_limit'))
    expect(answer.body['message']).toContain(refusal)
  }
})
