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
    .values({ organization_id: made.id, user_id: bob.userId, role: 'Read-only' })
    .execute()
  const project = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  at = `/platform/projects/${String(project.body['ref'])}/diagram-layouts`
})
afterAll(() => plane.end())

const body = (schema: string, x: number) => ({ schema, positions: [{ id: 1, x, y: 2 }] })
const seen = async (who: Person, schema = 'public') =>
  (await who.call('GET', `${at}?schema=${schema}`)).body

test.each([
  ['no schema', { positions: [] }],
  ['a place that is none', { schema: 's', positions: [{ id: 1, x: 0.5, y: 0 }] }],
  ['a place far away', { schema: 's', positions: [{ id: 1, x: 1e9, y: 0 }] }],
  ['too many tables', { schema: 's', positions: Array(1001).fill({ id: 1, x: 0, y: 0 }) }],
])('%s is refused', async (_what, wrong) => {
  expect((await ada.call('PUT', at, wrong)).status).toBe(400)
})

test('a stranger learns nothing of it', async () => {
  expect((await eve.call('GET', `${at}?schema=public`)).status).toBe(404)
  expect((await eve.call('PUT', at, body('public', 1))).status).toBe(404)
})

test('everyone has a layout of their own, and who may only read shares none', async () => {
  expect((await ada.call('PUT', at, body('public', 10))).status).toBe(200)
  expect((await bob.call('PUT', at, body('public', 20))).status).toBe(200)
  expect(await seen(ada)).toMatchObject({ own: { positions: [{ x: 10 }] }, shared: null })
  expect(await seen(bob)).toMatchObject({ own: { positions: [{ x: 20 }] } })
  expect(await seen(ada, 'other')).toEqual({ own: null, shared: null })
  expect((await bob.call('PUT', `${at}/shared`, body('public', 99))).status).toBe(403)
})

test('the shared one is there for everybody, and whoever resets their own sees it', async () => {
  expect((await ada.call('PUT', `${at}/shared`, body('public', 30))).status).toBe(200)
  expect((await ada.call('PUT', `${at}/shared`, body('public', 31))).status).toBe(200)
  expect((await bob.call('DELETE', `${at}?schema=public`)).body).toEqual({ removed: true })
  expect((await bob.call('DELETE', `${at}?schema=public`)).body).toEqual({ removed: false })
  expect(await seen(bob)).toMatchObject({ own: null, shared: { positions: [{ x: 31 }] } })
  expect(await seen(ada)).toMatchObject({ own: { positions: [{ x: 10 }] } })
})

test('two at once leave one, and schemas of one’s own making do not pile up', async () => {
  await Promise.all([1, 2, 3].map((x) => ada.call('PUT', at, body('racing', x))))
  const count = async (schema?: string) => {
    let query = plane.db
      .selectFrom('platform.diagram_layouts')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('owner_id', '=', ada.userId)
    if (schema) query = query.where('schema_name', '=', schema)
    return Number((await query.executeTakeFirstOrThrow()).count)
  }
  expect(await count('racing')).toBe(1)
  for (let n = 0; n < 105; n++) await ada.call('PUT', at, body(`schema ${n}`, n))
  expect(await count()).toBe(100)
})
