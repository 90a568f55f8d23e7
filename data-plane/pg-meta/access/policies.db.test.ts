import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GuardedTable } from '#contract/database/database-policies'
import type { ColumnPrivileges, TablePrivileges } from '#contract/database/database-privileges'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
let table = 0
const odd = `Odd "tab'le" ☃`
const quoted = `"${odd.replaceAll('"', '""')}"`
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table notes (id int primary key, owner uuid, "Text ""x""" text);
    create table ${quoted} ("a "" b" int, c text);
    create view seen as select id from notes;
    create table sealed (id int); revoke all on sealed from anon, authenticated`)
  table = await idOf('notes')
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(
    `select to_regclass('${name.replaceAll("'", "''")}')::oid::int as id`,
  )
  return Number(row?.['id'])
}
async function made(policy: object): Promise<Policy> {
  const { status, body } = await meta.call('POST', 'policies', { table: 'notes', ...policy })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Policy
}

test.each<[string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, number]>([
  ['an unknown policy', 'GET', 'policies/1', undefined, 404],
  ['an unknown policy to change', 'PATCH', 'policies/1', { name: 'x' }, 404],
  ['an unknown policy to drop', 'DELETE', 'policies/1', undefined, 404],
  ['no table', 'POST', 'policies', { name: 'x' }, 400],
  ['an unknown table', 'POST', 'policies', { name: 'x', table: 'nowhere' }, 400],
  ['an unknown role', 'POST', 'policies', { name: 'x', table: 'notes', roles: ['nobody'] }, 400],
  ['no role at all', 'POST', 'policies', { name: 'x', table: 'notes', roles: [] }, 400],
  ['an unknown command', 'POST', 'policies', { name: 'x', table: 'notes', command: 'DROP' }, 400],
  ['a NUL', 'POST', 'policies', { name: 'x', table: 'notes', definition: 'a\0' }, 400],
  [
    'a check of what only reads',
    'POST',
    'policies',
    { name: 'x', table: 'notes', command: 'SELECT', check: 'true' },
    400,
  ],
  ['privileges that are no list', 'POST', 'table-privileges', { a: 1 }, 400],
  ['an empty list of privileges', 'POST', 'column-privileges', [], 400],
  [
    'an unknown relation',
    'POST',
    'table-privileges',
    [{ relation_id: 1, grantee: 'anon', privilege_type: 'SELECT' }],
    404,
  ],
  [
    'an unknown column',
    'DELETE',
    'column-privileges',
    [{ column_id: '1.1', grantee: 'anon', privilege_type: 'SELECT' }],
    404,
  ],
])('%s is refused', async (_, method, path, body, status) => {
  const answer = await meta.call(method, path, body)
  expect(answer).toMatchObject({ status, body: { message: expect.any(String) } })
})

test('who may only read changes neither policies nor privileges', async () => {
  const policy = await made({ name: 'kept' })
  const grant = [{ relation_id: table, grantee: 'anon', privilege_type: 'SELECT' }]
  for (const [method, path, body] of [
    ['POST', 'policies', { name: 'x', table: 'notes' }],
    ['PATCH', `policies/${policy.id}`, { name: 'y' }],
    ['DELETE', `policies/${policy.id}`, undefined],
    ['POST', 'table-privileges', grant],
  ] as const) {
    const answer = await meta.call(method, path, body, 'plinth_read_only')
    expect([path, answer]).toMatchObject([path, { status: 400, body: { code: '25006' } }])
  }
  expect((await meta.call('DELETE', `policies/${policy.id}`)).status).toBe(200)
})

test.each([
  'true); drop table notes; --',
  'true) with check (true',
  'true) to anon using (false',
  '/* */ true; select 1',
  '',
])('no expression breaks out: %s', async (definition) => {
  const answer = await meta.call('POST', 'policies', { name: 'x', table: 'notes', definition })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  const policy = await made({ name: 'breaking', definition: 'true' })
  const changed = await meta.call('PATCH', `policies/${policy.id}`, { definition })
  expect(changed).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  const { body } = await meta.call('DELETE', `policies/${policy.id}`)
  expect(body).toMatchObject({ definition: 'true' })
})

test('a policy is made, changed, listed and dropped', async () => {
  const name = `Own "notes" ☃`
  const policy = await made({
    name,
    action: 'RESTRICTIVE',
    command: 'UPDATE',
    roles: ['authenticated', 'anon'],
    definition: 'owner = auth.uid() -- theirs',
    check: `"Text ""x""" <> ''`,
  })
  expect(policy).toMatchObject({
    name,
    schema: 'public',
    table: 'notes',
    table_id: table,
    action: 'RESTRICTIVE',
    command: 'UPDATE',
    roles: ['anon', 'authenticated'],
  })
  expect((await meta.call('GET', `policies/${policy.id}`)).body).toEqual(policy)
  const changed = await meta.call('PATCH', `policies/${policy.id}`, {
    name: 'b',
    roles: ['public'],
    check: 'true',
  })
  expect(changed.body).toEqual({ ...policy, name: 'b', roles: ['public'], check: 'true' })
  const list = (await meta.call('GET', 'policies?included_schemas=public')).body
  expect(list).toMatchObject([{ id: policy.id, name: 'b' }])
  expect((await meta.call('DELETE', `policies/${policy.id}`)).body).toEqual(changed.body)
  expect((await meta.call('GET', `policies/${policy.id}`)).status).toBe(404)
})

test('names of every kind survive create, list, change and drop', async () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 15 })
    .filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value))
  await fc.assert(
    fc.asyncProperty(name, name, async (first, second) => {
      const policy = await made({ name: first, table: odd, definition: '"a "" b" = 1' })
      expect(policy).toMatchObject({ name: first, table: odd })
      const changed = await meta.call('PATCH', `policies/${policy.id}`, { name: second })
      expect(changed.body).toEqual({ ...policy, name: second })
      expect((await meta.call('DELETE', `policies/${policy.id}`)).status).toBe(200)
    }),
    { numRuns: 10 },
  )
})

test('tables come with their policies and with who reaches them', async () => {
  await made({ name: 'Found by this', roles: ['anon'], definition: 'true' })
  await meta.sql('alter table notes enable row level security')
  const tables = async (query: string) =>
    (await meta.call('GET', `policies/tables?schema=public&${query}`)).body as {
      tables: GuardedTable[]
      total: number
    }
  const all = await tables('')
  expect(all.total).toBe(3)
  expect(all.tables).toMatchObject([
    { name: odd, rls_enabled: false, reached_by: ['anon', 'authenticated'], policies: [] },
    {
      name: 'notes',
      rls_enabled: true,
      rls_forced: false,
      columns: [{ name: 'id', type: 'integer' }, { type: 'uuid' }, { name: 'Text "x"' }],
      policies: [{ name: 'Found by this' }],
    },
    { name: 'sealed', reached_by: [] },
  ])
  expect((await tables('search=FOUND')).tables.map(({ name }) => name)).toEqual(['notes'])
  const second = await tables('limit=1&offset=1')
  expect([second.total, second.tables[0]?.name]).toEqual([3, 'notes'])
})

test.each([
  ['owner = auth.uid()', null],
  ['"Text ""x""" like \'%;%\' -- fine', null],
  ['', { message: 'There is no expression' }],
  ['owner == ', { message: 'The expression is not complete', position: 9 }],
  ['nowhere = 1', { message: 'column "nowhere" does not exist', position: 1 }],
  ['true and ☃ = 1', { position: 10 }],
  ['count(*) > 1', { message: 'aggregate functions are not allowed in WHERE', position: 1 }],
  ['id', { message: 'argument of WHERE must be type boolean, not type integer', position: 1 }],
  ['true); delete from notes where (true', { message: 'This is more than one SQL expression' }],
])('an expression is looked at before it is used: %s', async (expression, problem) => {
  const input = { schema: 'public', table: 'notes', expression }
  const { status, body } = await meta.call('POST', 'policies/check', input, 'plinth_read_only')
  expect(status).toBe(200)
  const { problem: found } = body as { problem: unknown }
  if (problem === null) expect(found).toBeNull()
  else expect(found).toMatchObject(problem)
})

const heldBy = (privileges: TablePrivileges['privileges'], role: string) =>
  privileges
    .filter(({ grantee }) => grantee === role)
    .map(({ privilege_type, is_grantable }) => `${privilege_type}${is_grantable ? '*' : ''}`)

test('privileges of tables are granted and revoked', async () => {
  const relation_id = await idOf(quoted)
  const item = (grantee: string, privilege_type: string, is_grantable?: boolean) => ({
    relation_id,
    grantee,
    privilege_type,
    ...(is_grantable === undefined ? {} : { is_grantable }),
  })
  const change = async (method: 'POST' | 'DELETE', items: object[]) => {
    const { status, body } = await meta.call(method, 'table-privileges', items)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as TablePrivileges[])[0]?.privileges ?? []
  }
  const none = await change('DELETE', [item('anon', 'ALL'), item('service_role', 'DELETE')])
  expect([heldBy(none, 'anon'), heldBy(none, 'service_role').includes('DELETE')]).toEqual([
    [],
    false,
  ])
  const some = await change('POST', [
    item('anon', 'SELECT', true),
    item('PUBLIC', 'INSERT'),
    item('anon', 'DELETE'),
  ])
  expect([heldBy(some, 'anon'), heldBy(some, 'PUBLIC')]).toEqual([
    ['DELETE', 'SELECT*'],
    ['INSERT'],
  ])
  expect(heldBy(await change('DELETE', [item('PUBLIC', 'INSERT')]), 'PUBLIC')).toEqual([])
  const list = (await meta.call('GET', `table-privileges?relation_id=${relation_id}`)).body
  expect(list).toMatchObject([{ relation_id, schema: 'public', name: odd, kind: 'table' }])
  const views = (await meta.call('GET', 'table-privileges?included_schemas=public')).body
  expect(views).toContainEqual(expect.objectContaining({ name: 'seen', kind: 'view' }))
})

test('privileges of columns are granted and revoked, and those of the table count for them', async () => {
  const relation_id = await idOf(quoted)
  await meta.sql(`revoke all on ${quoted} from anon`)
  const list = async () =>
    (await meta.call('GET', `column-privileges?table_id=${relation_id}`)).body as ColumnPrivileges[]
  const [a, c] = await list()
  const item = (grantee: string, privilege_type: string) => ({
    column_id: a?.column_id,
    grantee,
    privilege_type,
  })
  const granted = await meta.call('POST', 'column-privileges', [
    { ...item('anon', 'SELECT'), is_grantable: true },
    item('anon', 'UPDATE'),
  ])
  expect(granted).toMatchObject({
    status: 200,
    body: [{ column_name: 'a " b', relation_name: odd }],
  })
  const held = async () => (await list()).map(({ privileges }) => heldBy(privileges, 'anon'))
  expect(await held()).toEqual([['SELECT*', 'UPDATE'], []])
  const revoked = await meta.call('DELETE', 'column-privileges', [item('anon', 'SELECT')])
  expect(heldBy((revoked.body as ColumnPrivileges[])[0]?.privileges ?? [], 'anon')).toEqual([
    'UPDATE',
  ])
  await meta.sql(`grant select, delete on ${quoted} to anon`)
  expect(await held()).toEqual([['SELECT', 'UPDATE'], ['SELECT']])
  expect(c?.column_id).toBe(`${relation_id}.2`)
})
