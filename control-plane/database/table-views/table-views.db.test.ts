import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
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
let ref: string
const of = { schema: 'public', table: 'böoks "x"' }
const query = `schema=public&table=${encodeURIComponent(of.table)}`

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  eve = await newcomer(plane, 'eve')
  const made = await organizationOf(ada, 'Acme', 'tier_pro')
  await plane.db
    .insertInto('platform.members')
    .values({
      organization_id: made.id,
      user_id: bob.userId,
      role: 'Read-only',
    })
    .execute()
  const project = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  ref = String(project.body['ref'])
  at = `/platform/projects/${ref}`
})
afterAll(() => plane.end())

const definition = {
  filters: [{ column: 'id', operator: '>', value: '3' }],
  sort: [{ column: 'id', direction: 'desc' }],
  hidden: ['secret'],
  order: ['b', 'a'],
}
const view = (id: string, more: object = {}) => ({ ...of, id, name: 'Mine', definition, ...more })
const views = async (who: Person) =>
  (await who.call('GET', `${at}/table-views?${query}`)).body as {
    views: { id: string; own: boolean }[]
    layout: object | null
  }

test.each([
  ['no name', { name: ' ' }],
  ['an unknown operator', { definition: { filters: [{ column: 'a', operator: 'x', value: '' }] } }],
  ['half a filter', { definition: { filters: [{ operator: '=', value: '' }] } }],
  ['an unknown visibility', { visibility: 'world' }],
])('a view with %s is refused', async (_, wrong) => {
  expect((await ada.call('PUT', `${at}/table-views`, view(randomUUID(), wrong))).status).toBe(400)
})

test('a stranger sees and keeps nothing', async () => {
  expect((await eve.call('GET', `${at}/table-views?${query}`)).status).toBe(404)
  expect((await eve.call('PUT', `${at}/table-views`, view(randomUUID()))).status).toBe(404)
  expect((await eve.call('GET', `${at}/row-undos?${query}`)).status).toBe(404)
})

test('a view keeps filters of every kind', async () => {
  const filters = [
    { column: 'price', operator: 'between', value: '1, 5' },
    { column: 'meta', path: 'a.b[0]', operator: 'exists', value: '', or: true },
    { condition: 'price > cost * 2', or: true },
  ]
  const id = randomUUID()
  const kept = await ada.call('PUT', `${at}/table-views`, view(id, { definition: { filters } }))
  expect(kept.body).toMatchObject({ definition: { filters } })
  expect((await views(ada)).views).toMatchObject([{ id, definition: { filters } }])
  await ada.call('DELETE', `${at}/table-views/${id}`)
})

test('a private view is its owner’s alone; a shared one is used by all and changed by its owner', async () => {
  const [own, shared] = [randomUUID(), randomUUID()]
  expect((await ada.call('PUT', `${at}/table-views`, view(own))).body).toMatchObject({ definition })
  await ada.call('PUT', `${at}/table-views`, view(shared, { visibility: 'project' }))
  expect((await views(bob)).views).toMatchObject([{ id: shared, own: false, definition }])
  expect((await views(ada)).views).toHaveLength(2)
  for (const id of [own, shared]) {
    const taken = await bob.call('PUT', `${at}/table-views`, view(id, { name: 'Taken' }))
    expect(taken.status).toBe(404)
    expect((await bob.call('DELETE', `${at}/table-views/${id}`)).body).toEqual({ removed: false })
  }
  await ada.call('PUT', `${at}/table-views`, view(shared, { name: 'Renamed' }))
  expect((await views(bob)).views).toHaveLength(0)
  expect((await ada.call('DELETE', `${at}/table-views/${own}`)).body).toEqual({ removed: true })
})

test('everybody has their own layout of a table', async () => {
  const layout = { widths: { id: 200 }, order: ['b'], hidden: ['a'], frozen: 1 }
  await ada.call('PUT', `${at}/table-layouts`, { ...of, layout })
  await ada.call('PUT', `${at}/table-layouts`, { ...of, layout: { ...layout, frozen: 2 } })
  await bob.call('PUT', `${at}/table-layouts`, { ...of, layout: { hidden: ['b'] } })
  expect((await views(ada)).layout).toEqual({ ...layout, frozen: 2 })
  expect((await views(bob)).layout).toEqual({ widths: {}, order: [], hidden: ['b'], frozen: null })
})

test('a save can be taken back by who made it, for half an hour, and nobody can read it in the database', async () => {
  const id = randomUUID()
  const changes = [{ kind: 'insert', values: { secret: 'A very secret value' } }]
  const kept = await ada.call('PUT', `${at}/row-undos`, { ...of, id, changes, count: 1 })
  expect(kept.status).toBe(200)
  const last = async (who: Person) => (await who.call('GET', `${at}/row-undos?${query}`)).body
  expect(await last(ada)).toMatchObject({ undo: { id, changes, count: 1 } })
  expect(await last(bob)).toEqual({ undo: null })
  expect((await bob.call('DELETE', `${at}/row-undos/${id}`)).body).toEqual({ removed: false })
  const raw = await sql<{ row: string }>`
    select t::text as row from platform.row_undos t`.execute(plane.db)
  expect(raw.rows.map(({ row }) => row).join()).not.toContain('secret')
  await sql`update platform.row_undos set applied_at = now() - interval '31 minutes'`.execute(
    plane.db,
  )
  expect(await last(ada)).toEqual({ undo: null })
  const next = randomUUID()
  await ada.call('PUT', `${at}/row-undos`, { ...of, id: next, changes, count: 1 })
  expect((await ada.call('DELETE', `${at}/row-undos/${next}`)).body).toEqual({ removed: true })
  expect(await last(ada)).toEqual({ undo: null })
})
