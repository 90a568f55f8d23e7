import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, nodesOf, type AskGraphql } from '../testing/graphql.ts'

const [ada, bob] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create table notes (id int primary key, owner uuid not null default auth.uid(), text text, hidden text default 'x');
    comment on table notes is '@graphql({"totalCount": {"enabled": true}})';
    create table marks (id int primary key, note_id int not null references notes);
    alter table notes enable row level security;
    create policy own on notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create policy public_read on notes for select to anon using (text = 'public');
    revoke all on notes from anon, authenticated;
    grant select (id, owner, text), insert (id, owner, text), update (text), delete on notes to authenticated;
    grant select (id, text) on notes to anon;
    insert into notes values (1, '${ada}', 'a'), (2, '${bob}', 'b'), (3, '${bob}', 'public');
    insert into marks values (1, 1), (2, 2), (3, 3);
  `)
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

const as = (sub: string) => ({ as: 'authenticated', claims: { sub } })
const query = '{ notesCollection { totalCount edges { node { id } } } }'
const ids = async (options: Parameters<AskGraphql>[1]) => {
  const { data } = await ask(query, options)
  const collection = data?.['notesCollection'] as unknown as { totalCount: number }
  const found = nodesOf(collection).map(({ id }) => id)
  expect(collection.totalCount).toBe(found.length)
  return found
}

test('each sees what its policies allow, in lists, counts and along keys', async () => {
  expect(await ids({})).toEqual([3])
  expect(await ids(as(ada))).toEqual([1])
  expect(await ids(as(bob))).toEqual([2, 3])
  expect(await ids({ as: 'service_role' })).toEqual([1, 2, 3])
  const { data } = await ask('{ marksCollection { edges { node { note { id } } } } }', as(ada))
  expect(nodesOf(data?.['marksCollection'])).toEqual([
    { note: { id: 1 } },
    { note: null },
    { note: null },
  ])
})

test('a node id of a row of somebody else leads nowhere', async () => {
  const nodeId = Buffer.from('["public","notes","2"]').toString('base64')
  const node = `{ node(nodeId: "${nodeId}") { nodeId } }`
  expect((await ask(node, as(ada))).data).toEqual({ node: null })
  expect((await ask(node, as(bob))).data).toEqual({ node: { nodeId } })
})

test('rows of others are neither changed nor deleted, and none is made for them', async () => {
  const change = await ask(
    `mutation { updatenotesCollection(set: {text: "hacked"}, filter: {id: {eq: 2}}) { affectedCount }
      deleteFromnotesCollection(filter: {id: {eq: 2}}) { affectedCount } }`,
    as(ada),
  )
  expect(change.data).toEqual({
    updatenotesCollection: { affectedCount: 0 },
    deleteFromnotesCollection: { affectedCount: 0 },
  })
  const insert = await ask(
    `mutation { insertIntonotesCollection(objects: [{id: 9, owner: "${bob}"}]) { affectedCount } }`,
    as(ada),
  )
  expect(insert).toMatchObject({
    status: 200,
    data: null,
    errors: [{ extensions: { code: '42501' } }],
  })
  expect(await plane.sql('select text from notes order by id')).toEqual([
    { text: 'a' },
    { text: 'b' },
    { text: 'public' },
  ])
})

test("columns that a role may not read are not in its schema, and no other role's schema is shown to it", async () => {
  const fields = async (options: Parameters<AskGraphql>[1]) => {
    const { data } = await ask('{ __type(name: "notes") { fields { name } } }', options)
    const type = data?.['__type'] as unknown as { fields: { name: string }[] }
    return type.fields.map(({ name }) => name)
  }
  expect(await fields({ as: 'service_role' })).toContain('hidden')
  expect(await fields(as(ada))).toEqual(['nodeId', 'id', 'owner', 'text', 'marksCollection'])
  expect(await fields({})).toEqual(['nodeId', 'id', 'text', 'marksCollection'])
  const hidden = '{ notesCollection(filter: {hidden: {eq: "x"}}) { edges { cursor } } }'
  expect((await ask(hidden, as(ada))).errors).toHaveLength(1)
  const made = await ask(
    'mutation { insertIntonotesCollection(objects: [{id: 5, text: "t"}]) { records { id text } } }',
    as(ada),
  )
  expect(made.data).toEqual({ insertIntonotesCollection: { records: [{ id: 5, text: 't' }] } })
})

test('a grant and its end are seen at once', async () => {
  await plane.sql('create table late (id int primary key); revoke all on late from anon')
  const late = () => ask('{ lateCollection { edges { cursor } } }')
  expect((await late()).errors).toHaveLength(1)
  await plane.sql('grant select on late to anon')
  expect((await late()).errors).toBeUndefined()
  await plane.sql('revoke select on late from anon')
  expect((await late()).errors).toHaveLength(1)
})

test('a hundred requests of three users at once never mix', async () => {
  const users = [{}, as(ada), as(bob)]
  const expected = await Promise.all(users.map(ids))
  await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      expect(await ids(users[i % 3])).toEqual(expected[i % 3])
    }),
  )
})
