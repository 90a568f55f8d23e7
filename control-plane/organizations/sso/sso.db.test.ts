import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let owner: Person
let admin: Person
let developer: Person
let stranger: Person
/** What the name servers say, by name; an Error is what they fail with. */
const records = new Map<string, string[][] | Error>()

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, {
    trustedSsoDomains: ['trusted.example.com'],
    resolveTxt: async (name) => {
      const found = records.get(name)
      if (found instanceof Error) throw found
      if (!found) throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })
      return found
    },
  })
  owner = await newcomer(plane, 'owner')
  admin = await newcomer(plane, 'admin')
  developer = await newcomer(plane, 'developer')
  stranger = await newcomer(plane, 'stranger')
})
afterAll(() => plane.end())

const idOf = async (slug: string) =>
  (
    await plane.db
      .selectFrom('platform.organizations')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
  ).id

/** An organization of a plan, with an administrator and a developer. */
async function organization(name: string, tier: Tier = 'tier_team'): Promise<string> {
  const { id: organization_id, slug } = await organizationOf(owner, name, 'tier_free')
  // Not by ordering the plan: an organization that owes for it is not deleted.
  await plane.db
    .updateTable('platform.organizations')
    .set({ tier })
    .where('id', '=', organization_id)
    .execute()
  for (const [who, role] of [
    [admin, 'Administrator'],
    [developer, 'Developer'],
  ] as const) {
    await plane.db
      .insertInto('platform.members')
      .values({ organization_id, user_id: who.userId, role })
      .execute()
  }
  return slug
}
const path = (slug: string) => `/platform/organizations/${slug}/sso`
let counter = 0
const newDomain = () => {
  counter += 1
  return `sso${counter}.example.com`
}
const saml = (more: object = {}) => ({
  enabled: true,
  domains: [newDomain()],
  join_role: 'Developer',
  saml: { metadata_xml: '<a/>' },
  ...more,
})
type Domains = {
  domain: string
  verified_at: string | null
  record: { name: string; value: string }
}[]
const domainsIn = (answer: { body: Record<string, unknown> }) => answer.body['domains'] as Domains // the contract's

test('nobody but members sees it, and a developer does not change it', async () => {
  const slug = await organization('Apart')
  expect((await stranger.call('GET', path(slug))).status).toBe(404)
  expect((await stranger.call('POST', path(slug), saml())).status).toBe(404)
  expect(await developer.call('GET', path(slug))).toMatchObject({
    status: 200,
    body: { provider: null, domains: [] },
  })
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect((await developer.call(method, path(slug), saml())).status).toBe(403)
  }
  const verify = await developer.call('POST', `${path(slug)}/verify`, { domain: 'a.example.com' })
  expect(verify.status).toBe(403)
})

test.each(['tier_free', 'tier_pro', 'tier_payg'] as const)(
  '%s does not include it',
  async (tier) => {
    const slug = await organization(`Plan ${tier.slice(5)}`, tier)
    expect(await owner.call('POST', path(slug), saml())).toMatchObject({
      status: 403,
      body: { code: 'plan_limit' },
    })
  },
)

test.each([
  ['no domain', { domains: [] }],
  ['a domain that is none', { domains: ['localhost'] }],
  ['a domain with a wildcard', { domains: ['*.example.com'] }],
  ['a role that nobody can be given', { join_role: 'Owner' }],
  ['both kinds', { oidc: { issuer: 'https://a.example', client_id: 'a', client_secret: 'b' } }],
  ['neither kind', { saml: undefined }],
  ['metadata that is none', { saml: { metadata_xml: 'nonsense' } }],
  ['an address that is none', { saml: { metadata_url: 'ftp://x' } }],
])('%s is refused', async (_, wrong) => {
  const slug = await organization('Wrong')
  expect(await owner.call('POST', path(slug), saml(wrong))).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  })
})

test('it is set up once, changed and removed, by an administrator too, each time with an entry', async () => {
  const slug = await organization('Whole')
  expect((await admin.call('PUT', path(slug), saml())).body['code']).toBe('sso_not_found')
  expect((await admin.call('DELETE', path(slug))).status).toBe(404)
  const made = await admin.call('POST', path(slug), saml())
  expect(made).toMatchObject({
    status: 201,
    body: {
      provider: { enabled: true, join_role: 'Developer', oidc: null },
      service: { acs_url: 'http://localhost:8000/auth/v1/sso/saml/acs' },
    },
  })
  expect((await admin.call('POST', path(slug), saml())).body['code']).toBe('sso_exists')
  const secret = 'very secret indeed'
  const oidc = { issuer: 'https://id.example', client_id: 'c', client_secret: secret }
  const change = saml({ saml: undefined, oidc, enabled: false, join_role: 'Read-only' })
  const changed = await admin.call('PUT', path(slug), change)
  expect(changed.body['provider']).toMatchObject({
    enabled: false,
    join_role: 'Read-only',
    saml: null,
    oidc: { issuer: 'https://id.example', client_id: 'c' },
  })
  expect(domainsIn(changed).map((one) => one.domain)).toEqual(change.domains)
  expect(JSON.stringify(changed.body)).not.toContain(secret)
  expect((await owner.call('DELETE', path(slug))).body).toMatchObject({
    provider: null,
    domains: [],
  })
  expect(plane.signIn.providers.size).toBe(0)
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change', 'actor_email'])
    .where('organization_id', '=', await idOf(slug))
    .where('action', 'like', 'sso.%')
    .orderBy('id')
    .execute()
  expect(entries.map((entry) => entry.action)).toEqual(['sso.create', 'sso.update', 'sso.remove'])
  expect(JSON.stringify(entries)).not.toContain(secret)
})

test('a domain counts once its record is there', async () => {
  const slug = await organization('Proof')
  const domain = newDomain()
  const made = await owner.call('POST', path(slug), saml({ domains: [domain] }))
  const [shown] = domainsIn(made)
  expect(shown?.verified_at).toBeNull()
  expect([...plane.signIn.providers.values()].at(-1)?.domains).toEqual([])
  const verify = (name = domain) => owner.call('POST', `${path(slug)}/verify`, { domain: name })
  expect((await verify('other.example.com')).status).toBe(404)
  expect((await verify()).body['code']).toBe('sso_record_missing')
  records.set(shown?.record.name ?? '', [['plinth-sso-verification=', 'of somebody else']])
  expect((await verify()).body['code']).toBe('sso_record_missing')
  records.set(shown?.record.name ?? '', new Error('the name server is away'))
  expect((await verify()).status).toBe(503)
  const value = shown?.record.value ?? ''
  records.set(shown?.record.name ?? '', [['other'], [value.slice(0, 10), value.slice(10)]])
  expect(domainsIn(await verify())[0]?.verified_at).toBeTruthy()
  expect([...plane.signIn.providers.values()].at(-1)?.domains).toEqual([domain])
})

test('a domain belongs to one organization; naming it keeps nobody out', async () => {
  const [first, second] = [await organization('First'), await organization('Second')]
  const domain = newDomain()
  const shown = await Promise.all(
    [first, second].map(
      async (slug) =>
        domainsIn(await owner.call('POST', path(slug), saml({ domains: [domain] })))[0],
    ),
  )
  expect(shown[0]?.record.value).not.toBe(shown[1]?.record.value)
  // The record of the first says nothing for the second.
  records.set(`_plinth-sso.${domain}`, [[shown[0]?.record.value ?? '']])
  const verify = (slug: string) => owner.call('POST', `${path(slug)}/verify`, { domain })
  expect((await verify(second)).body['code']).toBe('sso_record_missing')
  expect((await verify(first)).status).toBe(200)
  records.set(
    `_plinth-sso.${domain}`,
    shown.map((one) => [one?.record.value ?? '']),
  )
  expect(await verify(second)).toMatchObject({ status: 409, body: { code: 'sso_domain_taken' } })
})

test('a domain that was taken out has to be proven anew', async () => {
  const slug = await organization('Again')
  const domain = newDomain()
  const made = await owner.call('POST', path(slug), saml({ domains: [domain] }))
  const value = domainsIn(made)[0]?.record.value ?? ''
  records.set(`_plinth-sso.${domain}`, [[value]])
  await owner.call('POST', `${path(slug)}/verify`, { domain })
  await owner.call('PUT', path(slug), saml({ domains: [newDomain()] }))
  const back = domainsIn(await owner.call('PUT', path(slug), saml({ domains: [domain] })))
  expect(back).toMatchObject([{ domain, verified_at: null }])
  expect(back[0]?.record.value).not.toBe(value)
})

test('a trusted domain counts at once, for who names it first', async () => {
  const domains = ['trusted.example.com']
  const [first, second] = [await organization('Trust'), await organization('Late')]
  expect(domainsIn(await owner.call('POST', path(first), saml({ domains })))).toMatchObject([
    { verified_at: expect.any(String) },
  ])
  expect(domainsIn(await owner.call('POST', path(second), saml({ domains })))).toMatchObject([
    { verified_at: null },
  ])
})

test('an administrator does not take over an owner by changing where they sign in', async () => {
  const slug = await organization('Guarded')
  const settings = saml()
  const made = await admin.call('POST', path(slug), settings)
  const { id } = made.body['provider'] as { id: string } // the contract's
  plane.signIn.people.set(id, [owner.userId])
  expect((await admin.call('PUT', path(slug), settings)).body['code']).toBe('not_allowed')
  expect((await admin.call('DELETE', path(slug))).body['code']).toBe('not_allowed')
  expect((await owner.call('PUT', path(slug), settings)).status).toBe(200)
})

test('who comes through the provider is a member from then on, with the role that was set', async () => {
  const slug = await organization('Arrivals')
  const made = await owner.call('POST', path(slug), saml({ join_role: 'Read-only' }))
  const { id: providerId } = made.body['provider'] as { id: string } // the contract's
  const arrival = person(plane, 'newcomer@corp.example.com')
  const { userId, email } = arrival
  const members = async () =>
    await plane.db
      .selectFrom('platform.members')
      .select(['user_id', 'role'])
      .where('organization_id', '=', await idOf(slug))
      .where('user_id', '=', userId)
      .execute()
  expect(await members()).toEqual([])
  await plane.arriveBySso({ userId, providerId, email })
  await plane.arriveBySso({ userId, providerId, email })
  expect(await members()).toMatchObject([{ role: 'Read-only' }])
  expect((await arrival.call('GET', '/platform/profile')).body).toMatchObject({
    auth0_id: `sso|${userId}`,
    primary_email: email,
  })
  expect((await arrival.call('POST', '/platform/profile')).status).toBe(409)
  await plane.arriveBySso({ userId: developer.userId, providerId, email: developer.email })
  expect((await developer.call('GET', path(slug))).status).toBe(200)
  const unknown = '00000000-0000-4000-8000-000000000009'
  await plane.arriveBySso({ userId, providerId: unknown, email })
})

test('after a downgrade members sign in as before, and nobody new becomes one', async () => {
  const slug = await organization('Downgraded')
  const made = await owner.call('POST', path(slug), saml({ join_role: 'Developer' }))
  const { id: providerId } = made.body['provider'] as { id: string } // the contract's
  const [early, late] = ['early', 'late'].map((name) => person(plane, `${name}@corp.example.com`))
  const arrive = async (who: Person | undefined) => {
    if (who) await plane.arriveBySso({ userId: who.userId, providerId, email: who.email })
    return (await who?.call('GET', path(slug)))?.status
  }
  expect(await arrive(early)).toBe(200)
  await plane.db
    .updateTable('platform.organizations')
    .set({ tier: 'tier_pro' })
    .where('slug', '=', slug)
    .execute()
  expect(await arrive(early)).toBe(200)
  expect(await arrive(late)).toBe(404)
  expect((await owner.call('PUT', path(slug), saml())).body['code']).toBe('plan_limit')
  expect((await owner.call('DELETE', path(slug))).status).toBe(200)
})

test('with the organization its provider goes', async () => {
  const slug = await organization('Gone')
  const made = await owner.call('POST', path(slug), saml())
  const { id } = made.body['provider'] as { id: string } // the contract's
  expect(plane.signIn.providers.has(id)).toBe(true)
  expect((await owner.call('DELETE', `/platform/organizations/${slug}`)).status).toBe(200)
  expect(plane.signIn.providers.has(id)).toBe(false)
})
