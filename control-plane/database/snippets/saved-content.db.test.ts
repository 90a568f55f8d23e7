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
let at: string

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  await organizationOf(ada, 'Acme', 'tier_pro')
  const project = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  at = `/platform/projects/${String(project.body['ref'])}/content`
})
afterAll(() => plane.end())

const text = { id: 'a', kind: 'text', text: 'Weekly', x: 0, y: 0, w: 12, h: 1 }
const report = (blocks: object[]) => ({
  id: randomUUID(),
  name: 'Weekly',
  type: 'report',
  content: { content_id: 'x', blocks },
})
const logQuery = (more: object = {}) => ({
  id: randomUUID(),
  name: 'Slow calls',
  type: 'log_sql',
  content: { content_id: 'x', sql: 'select 1', dialect: 'columns' },
  ...more,
})

test.each([
  ['text where blocks are expected', { ...report([]), content: { content_id: 'x', sql: '' } }, ''],
  ['blocks where text is expected', { ...report([]), type: 'sql' }, 'no content of type sql'],
  ['a folder', logQuery({ folder_id: randomUUID() }), 'folder_id: is for type sql only'],
  ['a block of no kind', report([{ ...text, kind: 'film' }]), 'content.blocks.0.kind'],
  ['a block beyond the last column', report([{ ...text, x: 6 }]), 'beyond the last column'],
  ['two blocks with one id', report([text, text]), 'an id of its own'],
  [
    'too many blocks',
    report(Array.from({ length: 41 }, (_, n) => ({ ...text, id: `b${n}` }))),
    'content.blocks: Too big',
  ],
  [
    'a dialect that is none',
    logQuery({ content: { content_id: 'x', sql: '', dialect: 'x' } }),
    'content',
  ],
])('what is saved with %s is refused', async (_, input, says) => {
  const { status, body } = await ada.call('PUT', at, input)
  expect(status).toBe(400)
  expect(body['message']).toContain(says)
})

test('who may only read writes queries of their own, and no reports', async () => {
  const bob = await newcomer(plane, 'bob')
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const join = (role: 'Developer' | 'Read-only') =>
    plane.db
      .insertInto('platform.members')
      .values({ organization_id: id, user_id: bob.userId, role })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role }),
      )
      .execute()
  await join('Developer')
  const kept = report([text])
  expect((await bob.call('PUT', at, kept)).status).toBe(200)
  await join('Read-only')
  const query = logQuery()
  expect((await bob.call('PUT', at, query)).status).toBe(200)
  for (const refused of [
    await bob.call('PUT', at, report([text])),
    await bob.call('PUT', at, { ...kept, name: 'Mine' }),
    await bob.call('DELETE', `${at}?ids=${query.id},${kept.id}`),
  ])
    expect([refused.status, refused.body['code']]).toEqual([403, 'not_allowed'])
  expect((await bob.call('DELETE', `${at}?ids=${query.id}`)).body).toEqual([{ id: query.id }])
})

test('queries of logs and reports are kept, each in lists of their own', async () => {
  const query = logQuery()
  const weekly = report([
    text,
    { id: 'b', kind: 'chart', chart: 'requests', x: 0, y: 1, w: 6, h: 4 },
  ])
  expect((await ada.call('PUT', at, query)).status).toBe(200)
  expect((await ada.call('PUT', at, weekly)).status).toBe(200)
  const listed = async (type: string) => {
    const { body } = await ada.call('GET', `${at}?type=${type}`)
    return (body['data'] as { id: string; type: string }[]).map(({ id, type: of }) => [id, of])
  }
  expect(await listed('log_sql')).toEqual([[query.id, 'log_sql']])
  expect(await listed('report')).toEqual([[weekly.id, 'report']])
  expect(await listed('sql')).toEqual([])
  const { body } = await ada.call('GET', `${at}/count?type=report`)
  expect(body).toMatchObject({ count: 1, private: 1, shared: 0 })
  const { body: read } = await ada.call('GET', `${at}/item/${weekly.id}`)
  expect(read['content']).toMatchObject(weekly.content)
  const { body: readQuery } = await ada.call('GET', `${at}/item/${query.id}`)
  expect(readQuery['content']).toMatchObject({ sql: 'select 1', dialect: 'columns' })
})

test('what was saved does not become something else, and the public API has queries of the database only', async () => {
  const query = logQuery()
  await ada.call('PUT', at, query)
  const changed = await ada.call('PUT', at, { ...query, type: 'sql' })
  expect([changed.status, changed.body['code']]).toEqual([404, 'snippet_not_found'])
  expect((await ada.call('GET', `/v1/snippets/${query.id}`)).status).toBe(404)
})

test('a change of blocks is a change; what is the same stays as it is', async () => {
  const weekly = report([text])
  const first = await ada.call('PUT', at, weekly)
  const again = await ada.call('PUT', at, { ...weekly, revision: first.body['revision'] })
  expect(again.body['revision']).toBe(first.body['revision'])
  const moved = { ...weekly, content: { content_id: 'x', blocks: [{ ...text, y: 3 }] } }
  const after = await ada.call('PUT', at, { ...moved, revision: first.body['revision'] })
  expect(after.body['revision']).toBe(Number(first.body['revision']) + 1)
  const stale = await ada.call('PUT', at, { ...weekly, revision: first.body['revision'] })
  expect([stale.status, stale.body['code']]).toEqual([409, 'conflict'])
})
