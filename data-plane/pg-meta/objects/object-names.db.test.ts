import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Index, Publication, Role } from '#contract/database/database-object-shapes'
import type { Server } from '#contract/database/database-server'
import type { Change } from '#contract/ddl/change'
import {
  createForeignTable,
  createServer,
  dropMapping,
  dropServer,
  importForeignSchema,
} from '#contract/ddl/foreign-data'
import { createIndex, dropIndex, indexMethods } from '#contract/ddl/indexes'
import { createPublication, dropPublication } from '#contract/ddl/publications'
import { setParameter } from '#contract/ddl/parameters'
import { quoteIdent } from '#contract/ddl/sql-text'
import { hostileName } from '#contract/testing/tables'
import { withClient } from '#kit/postgres/client'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** What is made under hostile names is listed, changed and gone again under the same names, on a real server. */
let meta: Meta
/** Roles and servers are shared with other tests of the same server. */
const own = randomBytes(3).toString('hex')
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const runs = { numRuns: 12 }
/** The whole name must still fit into 63 bytes with our mark before it. */
const roleName = hostileName
  .filter((name) => Buffer.byteLength(name) <= 55)
  .map((name) => `${own}_${name}`)
const call = async <T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => {
  const answer = await meta.call(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as T
}
const run = ({ name, statements, inverse, transaction }: Change) =>
  call('POST', 'changes', {
    name,
    statements,
    ...(inverse ? { inverse } : {}),
    ...(transaction === undefined ? {} : { transaction }),
  })
const sql = (statement: string) => meta.sql(statement)

test('a role is made, listed, changed, renamed, let in by its password, and dropped', async () => {
  const flag = fc.boolean()
  await fc.assert(
    fc.asyncProperty(roleName, roleName, flag, flag, async (name, other, login, inherit) => {
      const made = await call<Role>('POST', 'roles', {
        name,
        can_login: login,
        inherit_role: inherit,
        connection_limit: 3,
        password: "it's a 'secret' \\ ✓",
        config: { work_mem: '7MB', search_path: '"$user", public' },
      })
      expect(made).toMatchObject({
        name,
        can_login: login,
        inherit_role: inherit,
        password: '********',
        connection_limit: 3,
        config: { work_mem: '7MB', search_path: '"$user", public' },
      })
      const changed = await call<Role>('PATCH', `roles/${made.id}`, {
        name: other,
        can_login: true,
        connection_limit: -1,
        valid_until: '2030-01-01T00:00:00Z',
        config: [{ op: 'remove', path: '/work_mem' }],
      })
      expect(changed).toMatchObject({ id: made.id, name: other, can_login: true })
      expect(changed.config).toEqual({ search_path: '"$user", public' })
      expect(changed.valid_until).toContain('2030')
      expect(await call('GET', `roles/${made.id}`)).toEqual(changed)
      const listed = await call<Role[]>('GET', 'roles')
      expect(listed.map((role) => role.name)).toContain(other)
      expect(await call('DELETE', `roles/${made.id}`)).toEqual(changed)
      expect((await meta.call('GET', `roles/${made.id}`)).status).toBe(404)
    }),
    runs,
  )
})

test('roles of the server itself are shown on demand only, and a password stays secret', async () => {
  const names = async (query: string) =>
    (await call<Role[]>('GET', `roles${query}`)).map(({ name }) => name)
  expect((await names('')).filter((name) => name.startsWith('pg_'))).toEqual([])
  expect(await names('?include_default_roles=true')).toContain('pg_read_all_data')
  const roles = await call<Role[]>('GET', 'roles')
  const grantable = roles.filter((one) => one.may_grant).map(({ name }) => name)
  expect(grantable).toEqual(expect.arrayContaining(['anon', 'service_role']))
  expect(grantable).not.toContain('supabase_admin')
  expect(await meta.call('POST', 'roles', { name: `${own}_su`, is_superuser: true })).toMatchObject(
    {
      status: 400,
      body: { code: '42501' },
    },
  )
  const role = roles.find(({ name }) => name === 'supabase_auth_admin')
  expect(await meta.call('PATCH', `roles/${role?.id}`, { password: 'known' })).toMatchObject({
    status: 400,
  })
  expect(
    await meta.call('PATCH', `roles/${role?.id}`, { config: [{ op: 'add', path: 'x y' }] }),
  ).toMatchObject({ status: 400 })
})

test('an index is made of hostile columns, found again, dropped, and brought back by its inverse', async () => {
  const columns = fc.uniqueArray(hostileName, { minLength: 1, maxLength: 3 })
  const methods = fc.constantFrom(...indexMethods.filter((method) => method !== 'gin'))
  await fc.assert(
    fc.asyncProperty(
      columns,
      hostileName,
      hostileName,
      fc.boolean(),
      async (names, table, index, concurrently) => {
        fc.pre(table !== index)
        const list = names.map((name) => `${quoteIdent(name)} text`).join(', ')
        await sql(`create table public.${quoteIdent(table)} (${list})`)
        const desired = {
          schema: 'public',
          table,
          name: index,
          columns: names.map((name) => ({ name })),
          method: 'btree' as const,
          concurrently,
          where: `${quoteIdent(names[0] ?? '')} <> '--'`,
        }
        await run(createIndex(desired))
        const indexOf = async () =>
          (await call<Index[]>('GET', 'indexes')).find((one) => one.name === index)
        const made = await indexOf()
        expect(made).toMatchObject({
          table,
          is_valid: true,
          number_of_key_attributes: names.length,
        })
        expect(made?.index_attributes.map((one) => one.attribute_name)).toEqual(names)
        const drop = dropIndex({ ...desired, definition: made?.index_definition ?? '' })
        await run(drop)
        expect(await indexOf()).toBeUndefined()
        await run({ name: 'back', statements: drop.inverse ?? [] })
        expect((await indexOf())?.index_definition).toBe(made?.index_definition)
        await sql(`drop table public.${quoteIdent(table)}`)
      },
    ),
    runs,
  )
  await fc.assert(
    fc.asyncProperty(methods, async (method) => {
      await sql('create table point_of (p point, n int4range, x int)')
      const column = method === 'gist' || method === 'spgist' ? 'p' : 'x'
      await run(
        createIndex({ schema: 'public', table: 'point_of', columns: [{ name: column }], method }),
      )
      await sql('drop table point_of')
    }),
    { numRuns: 4 },
  )
})

test('a publication of hostile tables is made, changed, dropped, and brought back by its inverse', async () => {
  await fc.assert(
    fc.asyncProperty(hostileName, hostileName, async (name, table) => {
      fc.pre(name !== 'supabase_realtime')
      await sql(`create table public.${quoteIdent(table)} (id int primary key)`)
      const desired = {
        name,
        operations: ['insert', 'delete'] as const,
        tables: [{ schema: 'public', name: table }],
      }
      await run(createPublication(desired))
      const found = async () =>
        (await call<Publication[]>('GET', 'publications')).find((one) => one.name === name)
      const made = await found()
      expect(made).toMatchObject({ publish_insert: true, publish_update: false })
      expect(made?.tables).toMatchObject(desired.tables)
      const drop = dropPublication({ ...desired, owner: 'postgres' })
      await run(drop)
      await run({ name: 'back', statements: drop.inverse ?? [] })
      expect(await found()).toMatchObject({ publish_delete: true, publish_truncate: false })
      await call('DELETE', `publications/${(await found())?.id}`)
      await sql(`drop table public.${quoteIdent(table)}`)
    }),
    runs,
  )
})

test('a list of hostile names is set as a parameter, reads back as itself, and is taken back', async () => {
  const [{ name: database } = { name: '' }] = (await sql('select current_database() as name')) as {
    name: string
  }[]
  const stored = async () =>
    (
      await sql(`select substr(c, strpos(c, '=') + 1) as value from pg_db_role_setting s, unnest(setconfig) c
        where c like 'search_path=%' and setdatabase = (select oid from pg_database where datname = current_database())`)
    )[0]?.['value'] ?? null
  expect(await stored()).toBeNull()
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(hostileName, { minLength: 1, maxLength: 4 }), async (names) => {
      const to = names.map(quoteIdent).join(', ')
      const change = setParameter({ database }, { name: 'search_path', from: null, to })
      await run(change)
      const kept = await stored()
      const [asPostgres] = await withClient(meta.db.configFor('postgres'), async (client) => {
        const list = `select string_agg(quote_ident(name), ', ' order by at) as list
          from unnest($1::text[]) with ordinality n (name, at)`
        return (await client.query<{ list: string }>(list, [names])).rows
      })
      expect(kept).toBe(asPostgres?.list)
      await run({ name: 'back', statements: change.inverse ?? [] })
      expect(await stored()).toBeNull()
    }),
    runs,
  )
})

test('a foreign server takes a login and tables, and its secrets are not told', async () => {
  const asAdmin = (statement: string) =>
    withClient(meta.db.adminConfig, (client) => client.query(statement))
  const none = createServer({ name: 'early', wrapper: 'postgres_fdw', options: {} })
  const { name, statements } = none
  expect((await meta.call('POST', 'changes', { name, statements })).status).toBe(400)
  await asAdmin(`create extension postgres_fdw with schema extensions;
    grant usage on foreign data wrapper postgres_fdw to postgres`)
  const { host, port, database } = meta.db.configFor('postgres')
  const server = 'It\'s "there"'
  await run(
    createServer({
      name: server,
      wrapper: 'postgres_fdw',
      options: { host, port: String(port), dbname: database },
    }),
  )
  const { password } = meta.db.configFor('postgres')
  const login = { server, user: 'postgres', options: { user: 'postgres', password } }
  await call('POST', 'foreign-servers/mappings', {
    ...login,
    options: { user: 'x', password: 'y' },
  })
  const test = () => call<{ error: string | null }>('POST', 'foreign-servers/test', { server })
  expect((await test()).error).toMatch(/could not connect[^]*password|authentication/)
  await call('POST', 'foreign-servers/mappings', login)
  expect(await test()).toEqual({ server, error: null })
  expect(await sql(`select from pg_namespace where nspname = 'plinth trial'`)).toEqual([])
  const unknown = await meta.call('POST', 'foreign-servers/test', { server: 'nobody' })
  expect(unknown.status).toBe(404)
  await sql(
    'create table "Far ""1""" (id int, note text); insert into "Far ""1""" values (1, null)',
  )
  await run(
    importForeignSchema({
      server,
      remote: 'public',
      local: 'over "there"',
      createLocal: true,
      only: ['Far "1"'],
    }),
  )
  await run(
    createForeignTable({
      schema: 'public',
      name: 'one more',
      server,
      columns: [{ name: 'id', type: 'int4' }],
      options: { table_name: 'Far "1"' },
    }),
  )
  expect(
    await sql('select * from "over ""there"""."Far ""1""" join "one more" using (id)'),
  ).toEqual([{ id: 1, note: null }])
  const { servers } = await call<{ servers: Server[] }>('GET', 'foreign-servers')
  const made = servers.find((one) => one.name === server)
  expect(made).toMatchObject({
    wrapper: 'postgres_fdw',
    mappings: [{ user: 'postgres', options: ['user', 'password'] }],
    tables: [
      { schema: 'over "there"', name: 'Far "1"' },
      { schema: 'public', name: 'one more' },
    ],
  })
  expect(JSON.stringify(servers)).not.toContain(password)
  expect(await call('GET', 'foreign-tables?include_columns=false')).toMatchObject([
    { foreign_server_name: server, foreign_data_wrapper_name: 'postgres_fdw' },
    { name: 'one more' },
  ])
  await run(dropMapping(login))
  await run(dropServer({ name: server, wrapper: 'postgres_fdw', options: {} }, true))
  expect(await call('GET', 'foreign-servers')).toMatchObject({ servers: [] })
})
