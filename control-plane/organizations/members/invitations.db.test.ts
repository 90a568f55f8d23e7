import { afterAll, beforeAll, expect, test } from 'vitest'
import { person, type Person, type TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { mailsTo, refused, startTeam, type Team, tokenSentTo } from '../../testing/members.ts'

let team: Team
let plane: TestControlPlane
let owner: Person
let admin: Person
let developer: Person
let stranger: Person
let books: string
let foreign: string

const base = '/platform/organizations/acme/members/invitations'
const notFound = refused(404, 'invitation_not_found')

beforeAll(async () => {
  team = await startTeam()
  ;({ plane, owner, admin, developer, stranger, books, foreign } = team)
  await team.reset()
})
afterAll(() => plane.end())

const invite = (who: Person, email: string, more: object = {}) =>
  who.call('POST', base, { email, role_id: 3, ...more })
const accept = (who: Person, token: string, slug = 'acme') =>
  who.call('POST', `/platform/organizations/${slug}/members/invitations/${token}`)
const open = (token: string, slug = 'acme') =>
  plane.app.inject({ url: `/platform/organizations/${slug}/members/invitations/${token}` })

test.each([
  ['no address', { email: '' }],
  ['an address that is none', { email: 'ada' }],
  ['an address with a line break', { email: 'ada@example.com\nBcc: all@example.com' }],
  ['two addresses', { email: 'ada@example.com, bob@example.com' }],
  ['no role', { role_id: undefined }],
  ['no projects', { role_scoped_projects: [] }],
])('an invitation with %s is refused', async (_, more) => {
  expect(await invite(owner, 'x@example.com', more)).toMatchObject(refused(400, 'invalid_input'))
})

test('nobody invites into another’s organization, nor as more than they may give', async () => {
  expect(await invite(stranger, 'eve2@example.com')).toMatchObject(
    refused(404, 'organization_not_found'),
  )
  expect(await invite(developer, 'x@example.com', { role_id: 1 })).toMatchObject(
    refused(403, 'not_allowed'),
  )
  expect(await invite(developer, 'x@example.com')).toMatchObject(refused(403, 'not_allowed'))
  expect(await invite(admin, 'x@example.com', { role_id: 1 })).toMatchObject(
    refused(403, 'not_allowed'),
  )
  expect(
    await invite(admin, 'x@example.com', { role_id: 1, role_scoped_projects: [books] }),
  ).toMatchObject(refused(403, 'not_allowed'))
  expect(await invite(owner, 'x@example.com', { role_id: 1001 })).toMatchObject(
    refused(404, 'role_not_found'),
  )
  expect(await invite(owner, 'x@example.com', { role_scoped_projects: [foreign] })).toMatchObject(
    refused(404, 'project_not_found'),
  )
  expect(await invite(owner, 'Dora@Example.com')).toMatchObject(refused(409, 'already_member'))
})

test('an invitation comes by mail and makes its reader a member, once', async () => {
  const ann = await newcomer(plane, 'ann')
  const made = await invite(admin, 'Ann@Example.com')
  expect(made).toMatchObject({
    status: 201,
    body: { invited_email: 'ann@example.com', role_id: 3, projects: null, expired: false },
  })
  expect(JSON.stringify(made.body)).not.toContain('token')
  const token = await tokenSentTo(plane, 'ann@example.com')
  const [mail] = await mailsTo(plane, 'ann@example.com')
  expect(mail?.body_text).toContain(`http://localhost:8000/join?token=${token}&slug=acme`)
  expect(mail?.subject).toBe('Join Acme on Plinth')

  expect((await open(token)).json()).toMatchObject({
    organization_name: 'Acme',
    invited_email: 'ann@example.com',
    invited_by: 'adam@example.com',
    role: 'Developer',
    projects: null,
  })
  expect(await accept(ann, token)).toMatchObject({
    status: 200,
    body: { organization_slug: 'acme' },
  })
  expect(await ann.call('GET', '/platform/organizations/acme')).toMatchObject({
    status: 200,
    body: { role: 'Developer' },
  })
  // The same link again, for her or anybody else, also after she has left.
  expect(await accept(ann, token)).toMatchObject(notFound)
  expect((await open(token)).statusCode).toBe(404)
  await ann.call('DELETE', `/platform/organizations/acme/members/${ann.userId}`)
  expect(await accept(ann, token)).toMatchObject(notFound)
  expect((await ann.call('GET', '/platform/organizations/acme')).status).toBe(404)
})

test('a host that a request names does not come into the link', async () => {
  await owner.call(
    'POST',
    base,
    { email: 'host@example.com', role_id: 3 },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  )
  const [mail] = await mailsTo(plane, 'host@example.com')
  expect(`${mail?.body_text} ${mail?.body_html}`).not.toContain('evil.example')
})

test('a name with markup is text in the mail', async () => {
  const { slug } = await organizationOf(owner, '<img src=x onerror=alert(1)>', 'tier_free')
  const url = `/platform/organizations/${slug}/members/invitations`
  expect((await owner.call('POST', url, { email: 'mark@example.com', role_id: 3 })).status).toBe(
    201,
  )
  const [mail] = await mailsTo(plane, 'mark@example.com')
  expect(mail?.body_html).not.toContain('<img')
  expect(mail?.body_html).toContain('&lt;img')
})

test('who is not the invited person, or has no token of this organization, stays out', async () => {
  await invite(owner, 'bea@example.com')
  const token = await tokenSentTo(plane, 'bea@example.com')
  const bea = await newcomer(plane, 'bea')
  expect(await accept(stranger, token)).toMatchObject(refused(403, 'invitation_not_yours'))
  const bare = await plane.app.inject({ method: 'POST', url: `${base}/${token}` })
  expect(bare.statusCode).toBe(401)
  // The slug in the link is not what opens another organization.
  expect(await accept(bea, token, 'umbrella')).toMatchObject(notFound)
  expect((await open(token, 'umbrella')).statusCode).toBe(404)
  expect(await accept(bea, 'A'.repeat(43))).toMatchObject(notFound)
  expect(await accept(bea, 'A'.repeat(43), 'nowhere')).toMatchObject(notFound)
  expect((await accept(bea, 'short')).status).toBe(400)
  // Somebody without a profile makes one first; the invitation waits.
  const late = person(plane, 'bea@example.com')
  expect(await accept(late, token)).toMatchObject(refused(404, 'user_profile_not_found'))
  expect((await accept(bea, token)).status).toBe(200)
})

test('of several who press at once, one comes in', async () => {
  await invite(owner, 'cid@example.com')
  const token = await tokenSentTo(plane, 'cid@example.com')
  const cid = await newcomer(plane, 'cid')
  const answers = await Promise.all(Array.from({ length: 4 }, () => accept(cid, token)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 404, 404, 404,
  ])
})

test('sending again makes a new link and kills the old one; revoking kills that', async () => {
  const made = await invite(owner, 'dan@example.com')
  const id = Number(made.body['id'])
  const first = await tokenSentTo(plane, 'dan@example.com')
  expect(await invite(owner, 'dan@example.com')).toMatchObject(refused(409, 'already_invited'))
  expect(await developer.call('POST', `${base}/${id}/resend`)).toMatchObject(
    refused(403, 'not_allowed'),
  )
  expect((await admin.call('POST', `${base}/${id}/resend`)).status).toBe(200)
  const second = await tokenSentTo(plane, 'dan@example.com', 2)
  expect(second).not.toBe(first)
  const dan = await newcomer(plane, 'dan')
  expect(await accept(dan, first)).toMatchObject(notFound)

  const theirs = `/platform/organizations/umbrella/members/invitations/${id}`
  expect(await stranger.call('DELETE', theirs)).toMatchObject(notFound)
  expect(await stranger.call('POST', `${theirs}/resend`)).toMatchObject(notFound)
  expect(await developer.call('DELETE', `${base}/${id}`)).toMatchObject(refused(403, 'not_allowed'))
  expect((await admin.call('DELETE', `${base}/${id}`)).status).toBe(200)
  expect(await admin.call('DELETE', `${base}/${id}`)).toMatchObject(notFound)
  expect(await accept(dan, second)).toMatchObject(notFound)
})

test('an Administrator neither sends again nor revokes what an Owner has offered an Owner', async () => {
  const made = await invite(owner, 'own@example.com', { role_id: 1 })
  const url = `${base}/${Number(made.body['id'])}`
  expect(await admin.call('POST', `${url}/resend`)).toMatchObject(refused(403, 'not_allowed'))
  expect(await admin.call('DELETE', url)).toMatchObject(refused(403, 'not_allowed'))
})
