import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let eve: Person
let at: string

const member = (organizationId: string, user: Person, role: 'Developer' | 'Read-only') =>
  plane.db
    .insertInto('platform.members')
    .values({ organization_id: organizationId, user_id: user.userId, role })
    .execute()

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  eve = await newcomer(plane, 'eve')
  const made = await organizationOf(ada, 'Acme', 'tier_pro')
  await member(made.id, bob, 'Read-only')
  const project = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  at = `/platform/projects/${String(project.body['ref'])}/content`
})
afterAll(() => plane.end())

const snippet = (id: string, more: object = {}) => ({
  id,
  name: 'Untitled query',
  content: { schema_version: '1.0', content_id: id, sql: 'select 1' },
  ...more,
})
const names = (body: Record<string, unknown>) =>
  (body['data'] as { name: string }[]).map(({ name }) => name)

test.each([
  ['no id', { id: undefined }],
  ['an id that is none', { id: '1' }],
  ['an empty name', { name: ' ' }],
  ['a text over the limit', { content: { content_id: 'x', sql: 'x'.repeat(900_001) } }],
  ['a NUL in its text', { content: { content_id: 'x', sql: 'select \u0000' } }],
  ['half a surrogate pair in its text', { content: { content_id: 'x', sql: "select '\ud83d'" } }],
])('a snippet with %s is refused', async (_, wrong) => {
  expect((await ada.call('PUT', at, snippet(randomUUID(), wrong))).status).toBe(400)
})

test('a text that speaks of such characters is no such text', async () => {
  const id = randomUUID()
  const sql = String.raw`select E'\u0000', '\ud83d' -- 😀`
  const content = { schema_version: '1.0', content_id: id, sql }
  expect((await ada.call('PUT', at, snippet(id, { content }))).status).toBe(200)
  expect((await ada.call('GET', `${at}/item/${id}`)).body).toMatchObject({ content: { sql } })
  await ada.call('DELETE', `${at}?ids=${id}`)
})

test('a stranger sees no snippet and no project', async () => {
  expect((await eve.call('GET', at)).status).toBe(404)
  expect((await eve.call('PUT', at, snippet(randomUUID()))).status).toBe(404)
})

test('a private snippet is its owner’s alone, whatever its id is tried for', async () => {
  const id = randomUUID()
  expect((await ada.call('PUT', at, snippet(id))).body).toMatchObject({ id, revision: 1 })
  expect((await bob.call('GET', `${at}/item/${id}`)).body).toMatchObject({
    code: 'snippet_not_found',
  })
  expect((await bob.call('PUT', at, snippet(id, { name: 'Mine' }))).status).toBe(404)
  expect(Object.values((await bob.call('DELETE', `${at}?ids=${id}`)).body)).toEqual([])
  expect((await ada.call('GET', `${at}/item/${id}`)).status).toBe(200)
})

test('a shared snippet can be read and marked by members, and changed by its owner', async () => {
  const id = randomUUID()
  await ada.call('PUT', at, snippet(id, { name: 'Shared one', visibility: 'project' }))
  const shared = snippet(id, { name: 'Shared one', visibility: 'project' })
  expect((await bob.call('PUT', at, { ...shared, favorite: true })).body).toMatchObject({
    favorite: true,
    revision: 1,
  })
  expect((await bob.call('PUT', at, { ...shared, name: 'Taken over' })).status).toBe(403)
  expect((await ada.call('GET', `${at}/item/${id}`)).body).toMatchObject({ favorite: false })
  expect(names((await bob.call('GET', `${at}?favorite=true`)).body)).toEqual(['Shared one'])
})

test('a save from an old revision changes nothing', async () => {
  const id = randomUUID()
  const first = await ada.call('PUT', at, snippet(id))
  const edit = (sql: string, revision: unknown) =>
    ada.call('PUT', at, snippet(id, { content: { content_id: id, sql }, revision }))
  expect((await edit('select 2', first.body['revision'])).body).toMatchObject({ revision: 2 })
  expect(await edit('select 3', first.body['revision'])).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const racing = await Promise.all([edit('select 4', 2), edit('select 5', 2)])
  expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('lists are sorted, searched and paged without gaps or repeats', async () => {
  for (let n = 0; n < 7; n++) {
    await ada.call('PUT', at, snippet(randomUUID(), { name: `Page ${n % 3}` }))
  }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page = await ada.call('GET', `${at}?name=page&limit=3${more}`)
    const body = page.body as { data: { id: string }[]; cursor: string | null }
    seen.push(...body.data.map(({ id }) => id))
    cursor = body.cursor
  } while (cursor)
  expect(seen).toHaveLength(7)
  expect(new Set(seen).size).toBe(7)
  expect((await ada.call('GET', `${at}?cursor=nonsense`)).status).toBe(400)
  const sorted = names((await ada.call('GET', `${at}?name=page&sort_order=desc`)).body)
  expect(sorted).toEqual(sorted.toSorted().toReversed())
  expect((await ada.call('GET', `${at}/count?name=page`)).body).toMatchObject({
    count: 7,
    private: 7,
    shared: 0,
  })
})

test('an owner removes snippets, several at once', async () => {
  const ids = [randomUUID(), randomUUID()]
  for (const id of ids) await ada.call('PUT', at, snippet(id))
  const removed = await ada.call('DELETE', `${at}?ids=${ids.join(',')}`)
  expect(Object.values(removed.body)).toHaveLength(2)
  expect((await ada.call('GET', `${at}/item/${ids[0]}`)).status).toBe(404)
})
