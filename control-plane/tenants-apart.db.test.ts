import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { allows, roleNames, type RoleName } from '#contract/permissions'
import { roleGrants } from '#contract/roles'
import { requestOf, sampleInput, type Values } from './testing/inputs.ts'
import { startControlPlane, type Person, type TestControlPlane } from './testing/control-plane.ts'
import { newcomer, organizationOf } from './testing/people.ts'
import { createVictim, insertProject, ownRef, type Victim } from './testing/victim.ts'

/**
 * Every endpoint of the contract with the ids of an organization that the caller is not in. A new endpoint is in here as
 * soon as it is in the contract; when its smallest input is not valid the test says so, and `samples` takes a better one.
 */
const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
const scoped = endpoints.filter(({ needs }) => typeof needs === 'object')

let plane: TestControlPlane
let victim: Victim
let stranger: Person
const members = new Map<RoleName, Person>()
/** Inputs that a schema cannot say, by endpoint. */
let samples: Record<string, Values>

beforeAll(async () => {
  plane = await startControlPlane()
  stranger = await newcomer(plane, 'stranger')
  victim = await createVictim(plane)
  const { id: mine } = await organizationOf(stranger, 'Mine')
  await insertProject(plane, mine, ownRef)
  for (const role of roleNames) {
    const member = await newcomer(plane, role.toLowerCase())
    await sql`insert into platform.members (organization_id, user_id, role)
      values (${mine}, ${member.userId}, ${role})`.execute(plane.db)
    members.set(role, member)
  }
  const password = { db_pass: 'a password of 20 chars', name: 'Mine now' }
  const snippet = String(victim.byFeature['snippets']?.['id'])
  const onColumn = {
    privileges: [{ column_id: '1.1', grantee: 'anon', privilege_type: 'SELECT' }],
  }
  samples = {
    'projects.create': password,
    'v1.createProject': password,
    'snippets.put': {
      id: snippet,
      name: 'Mine now',
      content: { schema_version: '1.0', content_id: snippet, sql: 'select 1' },
    },
    'snippets.remove': { ids: snippet },
    'billing.creditsTopUp': { amount: 1000 },
    'billing.taxIdsAdd': { type: 'eu_vat', country: 'DE', value: 'DE123456789' },
    'sso.create': { domains: ['mine.example.com'] },
    'sso.update': { domains: ['mine.example.com'] },
    'sso.verifyDomain': { domain: 'mine.example.com' },
    'pg-meta.grant-column-privileges': onColumn,
    'pg-meta.revoke-column-privileges': onColumn,
    'queryTrends.trend': { queryid: '1' },
    'migration-tools.apply': { version: '1' },
    'migration-tools.mark': { version: '1' },
    'storage.remove': { path: 'a.txt' },
    'storage.startJob': { kind: 'remove', items: [{ from: 'a/' }] },
  }
})
afterAll(() => plane.end())

/** Every row of the platform that speaks of the victim, in one text. What happened is only ever added to the audit log. */
async function victimsRows(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'platform' and relkind = 'r' order by 1`.execute(plane.db)
  const found = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const rows = await sql<{ row: string }>`
        select t::text as row from ${sql.table(`platform.${name}`)} t order by 1`.execute(plane.db)
      return rows.rows.map(({ row }) => `${name}: ${row}`)
    }),
  )
  const speaksOfVictim = (row: string) => victim.marks.some((mark) => row.includes(mark))
  return found.flat().filter(speaksOfVictim).join('\n')
}

const send = async (endpoint: Endpoint, values: Values, token?: string) => {
  const [feature = ''] = endpoint.name.split('.')
  const input = sampleInput(endpoint, {
    ...values,
    ...victim.byFeature[feature],
    ...victim.byFeature[endpoint.name],
    ...samples[endpoint.name],
  })
  const { method, ...request } = requestOf(endpoint, input)
  const response = await plane.app.inject({
    method,
    ...request,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return { status: response.statusCode, body: response.body }
}
const own = { slug: 'mine', organization_slug: 'mine', ref: ownRef, projectRef: ownRef }
const shown = (endpoint: Endpoint, { status, body }: { status: number; body: string }) =>
  `${endpoint.name}: ${status} ${body.slice(0, 200)}`

test('no endpoint of the contract lets a stranger near what belongs to another organization', async () => {
  const before = await victimsRows()
  const wrong: string[] = []
  for (const endpoint of scoped) {
    const answer = await send(endpoint, victim.values, stranger.token)
    if (answer.status !== 404) wrong.push(shown(endpoint, answer))
  }
  expect(wrong).toEqual([])
  expect(await victimsRows()).toBe(before)
})

test('neither does one for everybody who is signed in', async () => {
  const before = await victimsRows()
  const wrong: string[] = []
  // It ends the caller's own account, and nothing in its input could name another one.
  const others = endpoints.filter(
    ({ needs, name }) => needs === 'signed-in' && name !== 'profile.remove',
  )
  for (const endpoint of others) {
    const answer = await send(endpoint, victim.values, stranger.token)
    const tells = victim.marks.some((mark) => answer.body.includes(mark))
    if (answer.status >= 500 || (answer.status < 400 && tells)) wrong.push(shown(endpoint, answer))
  }
  expect(wrong).toEqual([])
  expect(await victimsRows()).toBe(before)
})

test('the name of a foreign thing under an organization or project of one’s own finds nothing', async () => {
  const before = await victimsRows()
  const wrong: string[] = []
  for (const endpoint of scoped) {
    const named = Object.keys(endpoint.input.shape).filter((name) => !(name in own))
    const [feature = ''] = endpoint.name.split('.')
    const foreign = {
      ...victim.values,
      ...victim.byFeature[feature],
      ...victim.byFeature[endpoint.name],
    }
    // What has no id of its own in it can only be about the caller's organization.
    const ids = named.filter((name) => name in foreign && /id|ref|slug|project|token/i.test(name))
    if (ids.length === 0 || endpoint.name.startsWith('pg-meta')) continue
    const answer = await send(endpoint, { ...victim.values, ...own }, stranger.token)
    const tells = victim.marks.some((mark) => answer.body.includes(mark))
    if (answer.status < 400 && tells) wrong.push(shown(endpoint, answer))
  }
  expect(wrong).toEqual([])
  expect(await victimsRows()).toBe(before)
})

test('without a token, or with one that is none, nothing but what is open to anyone answers', async () => {
  const wrong: string[] = []
  for (const endpoint of endpoints.filter(({ needs }) => needs !== 'anyone')) {
    for (const token of [undefined, 'nonsense', `${stranger.token}x`.slice(4)]) {
      const answer = await send(endpoint, victim.values, token)
      if (answer.status !== 401) wrong.push(shown(endpoint, answer))
    }
  }
  expect(wrong).toEqual([])
})

test('a person’s token does not open what only our own programs may call', async () => {
  for (const endpoint of endpoints.filter(({ needs }) => needs === 'internal')) {
    expect([
      endpoint.name,
      (await send(endpoint, victim.values, victim.person.token)).status,
    ]).toEqual([endpoint.name, 401])
  }
})

test.each(roleNames)(
  '%s is refused what the role does not hold, on every endpoint',
  async (role) => {
    const rows = roleGrants[role].map((grant) => ({
      actions: [...grant.actions],
      resources: [...grant.resources],
      condition: grant.condition ?? null,
      restrictive: grant.restrictive ?? false,
      organization_id: 1,
      organization_slug: 'mine',
      project_ids: [],
      project_refs: [],
    }))
    const wrong: string[] = []
    let refused = 0
    for (const endpoint of scoped) {
      const { needs } = endpoint
      if (typeof needs !== 'object') continue
      const caller = members.get(role)
      const subject = { subject: { id: caller?.userId }, resource: { owner_id: caller?.userId } }
      const target = {
        organizationSlug: 'mine',
        projectRef: needs.in === 'project' ? ownRef : undefined,
      }
      if (allows(rows, needs.action, needs.resource, target, subject)) continue
      refused += 1
      const answer = await send(endpoint, { ...victim.values, ...own }, caller?.token)
      if (answer.status !== 403) wrong.push(shown(endpoint, answer))
    }
    expect(wrong).toEqual([])
    // An Owner holds everything; of the others each is refused something.
    expect(refused > 0).toBe(role !== 'Owner')
  },
)
