import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { requestOf, sampleInput, type Values } from './inputs-testing.ts'
import { person, startControlPlane, type Person, type TestControlPlane } from './testing.ts'

/**
 * Every endpoint of the contract with the ids of an organization that the caller is not in. A new endpoint is in here as
 * soon as it is in the contract; when its smallest input is not valid the test says so, and `samples` takes a better one.
 */
const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
const scoped = endpoints.filter(({ needs }) => typeof needs === 'object')

const foreignRef = 'v'.repeat(20)
const ownRef = 'm'.repeat(20)
const snippet = randomUUID()

/** Inputs that a schema can not say, by endpoint. */
const samples: Record<string, Values> = {
  'projects.create': { db_pass: 'a password of 20 chars', name: 'Mine now' },
  'snippets.put': {
    id: snippet,
    name: 'Mine now',
    content: { schema_version: '1.0', content_id: snippet, sql: 'select 1' },
  },
  'snippets.remove': { ids: snippet },
}

/** What the victim has, by the name that inputs call it. */
const theirs: Values = { slug: 'victim', organization_slug: 'victim', ref: foreignRef }

/** Names that mean another thing in each feature. */
const theirsByFeature: Record<string, Values> = {
  snippets: { id: snippet },
  'pg-meta': { id: 16384 },
  'pg-meta.column': { id: '16384.1' },
  'pg-meta.update-column': { id: '16384.1' },
  'pg-meta.delete-column': { id: '16384.1' },
  'table-rows': { id: 16384 },
}

let plane: TestControlPlane
let victim: Person
let stranger: Person

beforeAll(async () => {
  plane = await startControlPlane()
  victim = person(plane, 'victim@example.com')
  stranger = person(plane, 'stranger@example.com')
  for (const one of [victim, stranger]) await one.call('POST', '/platform/profile')
  await insertProject(await organizationOf(victim, 'Victim'), foreignRef)
  await insertProject(await organizationOf(stranger, 'Mine'), ownRef)
  const content = { schema_version: '1.0', content_id: snippet, sql: 'select 1' }
  await sql`
    insert into platform.snippets (id, project_id, owner_id, name, type, visibility, content)
    select ${snippet}, id, ${victim.userId}, 'Victim', 'sql', 'project', ${JSON.stringify(content)}
    from platform.projects where ref = ${foreignRef}`.execute(plane.db)
})
afterAll(() => plane.end())

async function organizationOf(owner: Person, name: string): Promise<string> {
  const body = { name, kind: 'PERSONAL', tier: 'tier_team' }
  const made = await owner.call('POST', '/platform/organizations', body)
  return String(made.body['id'])
}

/** Only the row: no call of a stranger may ever come as far as a database. */
async function insertProject(organizationId: string, ref: string): Promise<void> {
  await sql`
    insert into platform.projects (ref, organization_id, name, status, region, cloud_provider, compute_size, db_version, sealed_secrets)
    values (${ref}, ${organizationId}, ${ref}, 'ACTIVE_HEALTHY', 'local', 'AWS', 'nano', '17.10', '')`.execute(
    plane.db,
  )
}

/** Every row of the platform that speaks of the victim, in one text. */
async function victimsRows(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'platform' and relkind = 'r' order by 1`.execute(plane.db)
  const marks = ['ictim', foreignRef, snippet, victim.userId]
  const found = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const rows = await sql<{ row: string }>`
        select t::text as row from ${sql.table(`platform.${name}`)} t order by 1`.execute(plane.db)
      return rows.rows.map(({ row }) => `${name}: ${row}`)
    }),
  )
  return found
    .flat()
    .filter((row) => marks.some((mark) => row.includes(mark)))
    .join('\n')
}

const send = async (endpoint: Endpoint, values: Values, token?: string) => {
  const [feature = ''] = endpoint.name.split('.')
  const input = sampleInput(endpoint, {
    ...values,
    ...theirsByFeature[feature],
    ...theirsByFeature[endpoint.name],
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

test('no endpoint of the contract lets a stranger near what belongs to another organization', async () => {
  const before = await victimsRows()
  const wrong: string[] = []
  for (const endpoint of scoped) {
    const { status, body } = await send(endpoint, theirs, stranger.token)
    if (status !== 404) wrong.push(`${endpoint.name}: ${status} ${body.slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
  expect(await victimsRows()).toBe(before)
})

test('the name of a foreign thing under an organization or project of one’s own finds nothing', async () => {
  const before = await victimsRows()
  const own = { slug: 'mine', organization_slug: 'mine', ref: ownRef }
  const wrong: string[] = []
  for (const endpoint of scoped) {
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    if (named.every((name) => name in own)) continue
    const { status, body } = await send(endpoint, { ...theirs, ...own }, stranger.token)
    if (status < 400) wrong.push(`${endpoint.name}: ${status} ${body.slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
  expect(await victimsRows()).toBe(before)
})

test('without a token, or with one that is none, nothing but what is open to anyone answers', async () => {
  const wrong: string[] = []
  for (const endpoint of endpoints.filter(({ needs }) => needs !== 'anyone')) {
    for (const token of [undefined, 'nonsense', `${stranger.token}x`.slice(4)]) {
      const { status } = await send(endpoint, theirs, token)
      if (status !== 401) wrong.push(`${endpoint.name}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a person’s token does not open what only our own programs may call', async () => {
  for (const endpoint of endpoints.filter(({ needs }) => needs === 'internal')) {
    expect([endpoint.name, (await send(endpoint, theirs, victim.token)).status]).toEqual([
      endpoint.name,
      401,
    ])
  }
})
