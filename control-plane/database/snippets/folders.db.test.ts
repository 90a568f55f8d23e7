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

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  eve = await newcomer(plane, 'eve')
  const made = await organizationOf(ada, 'Acme', 'tier_pro')
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: made.id, user_id: bob.userId, role: 'Developer' })
    .execute()
  const project = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  at = `/platform/projects/${String(project.body['ref'])}/content`
})
afterAll(() => plane.end())

const snippet = async (who: Person, more: object = {}) => {
  const id = randomUUID()
  const content = { content_id: id, sql: 'select 1' }
  const { status } = await who.call('PUT', at, { id, name: 'Mine', content, ...more })
  expect(status).toBe(200)
  return id
}
const folder = async (who: Person, name: string) =>
  String((await who.call('POST', `${at}/folders`, { name })).body['id'])
const ids = ({ body }: { body: Record<string, unknown> }) =>
  (body['data'] as { id: string }[]).map(({ id }) => id)

test.each([
  ['an empty name', { name: ' ' }],
  ['no name', {}],
  ['a name that is too long', { name: 'x'.repeat(101) }],
])('a folder with %s is refused', async (_, body) => {
  expect((await ada.call('POST', `${at}/folders`, body)).status).toBe(400)
})

test('a stranger has no folders here and sees none', async () => {
  expect((await eve.call('GET', `${at}/folders`)).status).toBe(404)
  expect((await eve.call('POST', `${at}/folders`, { name: 'x' })).status).toBe(404)
})

test('folders are their person’s alone: another cannot name, fill or remove them', async () => {
  const id = await folder(ada, 'Reports “2026”; drop')
  const own = await snippet(bob)
  expect((await bob.call('GET', `${at}/folders`)).body).toEqual({ folders: [] })
  expect((await bob.call('PATCH', `${at}/folders/${id}`, { name: 'Mine' })).status).toBe(404)
  expect((await bob.call('DELETE', `${at}/folders/${id}`)).status).toBe(404)
  const move = { ids: [own], folder_id: id }
  expect((await bob.call('POST', `${at}/move`, move)).body).toMatchObject({
    code: 'folder_not_found',
  })
  expect(
    (
      await bob.call('PUT', at, {
        id: own,
        name: 'Mine',
        content: { content_id: own, sql: '' },
        folder_id: id,
      })
    ).status,
  ).toBe(404)
  expect((await ada.call('GET', `${at}/folders`)).body).toMatchObject({
    folders: [{ id, name: 'Reports “2026”; drop', count: 0 }],
  })
})

test('a name is taken once per person, in any case', async () => {
  const id = await folder(ada, 'Twice')
  expect((await ada.call('POST', `${at}/folders`, { name: 'tWICE' })).body).toMatchObject({
    code: 'name_taken',
  })
  const other = await folder(ada, 'Once')
  expect((await ada.call('PATCH', `${at}/folders/${other}`, { name: 'TWICE' })).status).toBe(409)
  expect(
    (await ada.call('PATCH', `${at}/folders/${id}`, { name: 'Twice again' })).body,
  ).toMatchObject({ id, name: 'Twice again' })
  expect((await bob.call('POST', `${at}/folders`, { name: 'Twice' })).status).toBe(201)
})

test('several queries move together, only one’s own, and stay when their folder goes', async () => {
  const drawer = await folder(ada, 'Drawer')
  const [first, second] = [await snippet(ada), await snippet(ada)]
  const foreign = await snippet(bob, { visibility: 'project' })
  const moved = await ada.call('POST', `${at}/move`, {
    ids: [first, second, foreign],
    folder_id: drawer,
  })
  expect(Object.values(moved.body)).toHaveLength(2)
  expect(ids(await ada.call('GET', `${at}?folder_id=${drawer}`)).toSorted()).toEqual(
    [first, second].toSorted(),
  )
  expect(ids(await ada.call('GET', `${at}?folder_id=none`))).not.toContain(first)
  expect((await ada.call('GET', `${at}/item/${first}`)).body).toMatchObject({
    folder_id: drawer,
    revision: 1,
  })
  // Saving the text again says nothing of the folder, and leaves it.
  await ada.call('PUT', at, {
    id: first,
    name: 'New',
    content: { content_id: first, sql: 'select 2' },
  })
  expect((await ada.call('GET', `${at}/item/${first}`)).body).toMatchObject({ folder_id: drawer })
  expect((await ada.call('DELETE', `${at}/folders/${drawer}`)).status).toBe(200)
  expect((await ada.call('GET', `${at}/item/${first}`)).body).toMatchObject({ folder_id: null })
})

test('a shared query does not tell others which folder its owner keeps it in', async () => {
  const drawer = await folder(ada, 'Secret plans')
  const id = await snippet(ada, { visibility: 'project', folder_id: drawer })
  expect((await ada.call('GET', `${at}/item/${id}`)).body).toMatchObject({ folder_id: drawer })
  expect((await bob.call('GET', `${at}/item/${id}`)).body).toMatchObject({ folder_id: null })
  expect(ids(await bob.call('GET', `${at}?folder_id=${drawer}`))).toEqual([])
})

test('a drawing is part of the query and its revision', async () => {
  const id = await snippet(ada)
  const chart = { kind: 'bar', x: 'month', y: ['sum'], cumulative: true }
  const content = { content_id: id, sql: 'select 1', chart }
  const saved = await ada.call('PUT', at, { id, name: 'Mine', content, revision: 1 })
  expect(saved.body).toMatchObject({ revision: 2, content: { chart } })
  const wrong = { ...content, chart: { ...chart, kind: 'pie' } }
  expect((await ada.call('PUT', at, { id, name: 'Mine', content: wrong })).status).toBe(400)
})

const run = (more: object = {}) => ({
  snippet_id: null,
  name: 'Mine',
  sql: 'select :a',
  parameters: { a: "1'" },
  status: 'running',
  ms: null,
  rows: null,
  error: null,
  ...more,
})

test('runs are kept for who ran them: begun, ended, found, forgotten', async () => {
  const id = randomUUID()
  expect((await eve.call('PUT', `${at}/runs/${id}`, run())).status).toBe(404)
  expect((await ada.call('PUT', `${at}/runs/${id}`, run({ status: 'lost' }))).status).toBe(400)
  expect((await ada.call('PUT', `${at}/runs/${id}`, run())).status).toBe(200)
  const ended = run({ status: 'done', ms: 1.5, rows: 7, sql: 'changed' })
  await ada.call('PUT', `${at}/runs/${id}`, ended)
  const list = Object.values((await ada.call('GET', `${at}/runs?search=SELECT`)).body)
  expect(list).toMatchObject([
    { id, status: 'done', ms: 1.5, rows: 7, sql: 'select :a', parameters: { a: "1'" } },
  ])
  expect(Object.values((await bob.call('GET', `${at}/runs`)).body)).toEqual([])
  // The same id is another run when another person says so.
  await bob.call('PUT', `${at}/runs/${id}`, run({ name: 'Bob’s' }))
  await bob.call('DELETE', `${at}/runs`)
  expect(Object.values((await ada.call('GET', `${at}/runs`)).body)).toHaveLength(1)
})

test('runs are paged from the newest on', async () => {
  for (let n = 0; n < 5; n++)
    await ada.call('PUT', `${at}/runs/${randomUUID()}`, run({ name: `n${n}` }))
  const first = Object.values((await ada.call('GET', `${at}/runs?limit=3`)).body) as {
    name: string
    started_at: string
  }[]
  expect(first.map(({ name }) => name)).toEqual(['n4', 'n3', 'n2'])
  const next = Object.values(
    (await ada.call('GET', `${at}/runs?limit=3&before=${String(first.at(-1)?.started_at)}`)).body,
  ) as { name: string }[]
  expect(next.map(({ name }) => name).slice(0, 2)).toEqual(['n1', 'n0'])
})
