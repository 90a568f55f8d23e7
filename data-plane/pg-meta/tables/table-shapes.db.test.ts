import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTable } from '#contract/ddl/tables/create-table'
import { dropTable } from '#contract/ddl/tables/drop-table'
import { duplicateTable } from '#contract/ddl/tables/duplicate-table'
import { editTable } from '#contract/ddl/tables/edit-table'
import { createSchema, dropSchema, renameSchema } from '#contract/ddl/schemas'
import { anyColumns, emptyTable, hostileName } from '#contract/testing/tables'
import { sqlOf, type Change } from '#contract/ddl/change'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { TableShape } from '#contract/ddl/tables/table-shape'
import type { DiagramLink, DiagramTable, ListedTable } from '#contract/database/table-shapes'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

async function executeChange({ name, statements, inverse }: Change): Promise<void> {
  const { status, body } = await meta.call('POST', 'changes', {
    name,
    statements,
    ...(inverse ? { inverse } : {}),
  })
  expect(status, `${JSON.stringify(body)}\n${statements.join(';\n')}`).toBe(200)
}
async function get<T>(path: string): Promise<T> {
  const { status, body } = await meta.call('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as T
}
const listed = (schema: string) =>
  get<ListedTable[]>(`table-list?schema=${encodeURIComponent(schema)}`)
async function shape(schema: string, name: string): Promise<TableShape> {
  const found = (await listed(schema)).find((table) => table.name === name)
  expect(found, `${schema}.${name} is not listed`).toBeDefined()
  return get<TableShape>(`table-shapes/${found?.id}`)
}
const dropIfThere = (schema: string) => `drop schema if exists ${quoteIdent(schema)} cascade`
/** What people choose, without the names and spellings that the server adds. */
const essence = ({ columns, primary_key: key, rls, comment }: TableShape) => ({
  rls,
  comment: comment === '' ? null : comment,
  key: key.columns,
  columns: columns.map((column) => ({
    name: column.name,
    type: column.type,
    nullable: column.nullable && !key.columns.includes(column.name),
    default: column.default !== null,
    unique: column.unique && key.columns.join() !== column.name,
    check: column.check !== null,
    comment: column.comment,
  })),
})

test('an id that is none is refused', async () => {
  expect((await meta.call('GET', 'table-shapes/999999999')).status).toBe(404)
  expect((await meta.call('GET', 'table-shapes/x')).status).toBe(400)
  expect((await meta.call('GET', 'table-list')).status).toBe(400)
})

test('random tables: create, read, edit, take back, rename, drop', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(hostileName, { minLength: 3, maxLength: 3 }),
      anyColumns,
      anyColumns,
      fc.boolean(),
      async ([schema = '', name = '', renamed = ''], columns, others, keyed) => {
        // The server's own and the platform's are not ours to make.
        fc.pre(!/^pg_|^(?:public|information_schema)$/.test(schema))
        const keyable = (all: typeof columns) => all.slice(0, 1).map((column) => column.name)
        const table: TableShape = {
          ...emptyTable(schema, name),
          rls: keyed,
          columns,
          primary_key: { name: null, columns: keyed ? keyable(columns) : [] },
        }
        // A run that failed is tried again in smaller ones.
        await meta.sql(sqlOf([dropIfThere(schema), dropIfThere('moved away')]))
        await executeChange(createSchema(schema))
        await executeChange(createTable(table, []))
        const before = await shape(schema, name)
        expect(essence(before)).toEqual(essence(table))
        const desired = {
          ...before,
          name: renamed,
          rls: !before.rls,
          comment: 'edited',
          primary_key: { name: before.primary_key.name, columns: keyed ? [] : keyable(others) },
          columns: [
            ...before.columns.map((column) => ({
              ...column,
              was: column.name,
              unique: false,
              check: null,
              nullable: true,
            })),
            ...others
              .filter((column) => !before.columns.some((old) => old.name === column.name))
              .map((column) => ({ ...column, default: null, nullable: true })),
          ],
        }
        desired.primary_key.columns = desired.primary_key.columns.filter(
          (key) => !before.columns.some((old) => old.name === key),
        )
        const edit = editTable(before, desired)
        await executeChange(edit)
        expect(essence(await shape(schema, renamed))).toEqual(essence(desired))
        expect(edit.inverse).toBeDefined()
        await executeChange({ name: 'back', statements: edit.inverse ?? [] })
        expect(await shape(schema, name)).toEqual(before)
        const copy = { name: renamed, comment: null, withRows: true, given: [] }
        await executeChange(duplicateTable(before, copy))
        await executeChange(dropTable({ schema, name }, false))
        expect((await listed(schema)).map((one) => one.name)).toEqual([renamed])
        const other = 'moved away'
        await executeChange(renameSchema(schema, other))
        await executeChange(dropSchema(other, true))
      },
    ),
    { numRuns: 10 },
  )
})

test('the whole form of a table is read, with every kind of column, key and right', async () => {
  await meta.sql(`
    create schema shop;
    create type shop."Mood" as enum ('good', 'bad');
    create table shop.makers (a int, b int, primary key (a, b));
    create table shop.things (
      id int8 generated always as identity primary key,
      mood shop."Mood" default 'good',
      moods shop."Mood"[],
      price numeric(10,2) check (price > 0),
      gross numeric generated always as (price * 1.2) stored,
      a int, b int,
      code varchar(20) unique,
      parent int8 references shop.things on delete cascade,
      constraint made foreign key (b, a) references shop.makers (b, a) on update set null
    );
    alter publication supabase_realtime add table shop.things;
    grant select, insert on shop.things to anon;
    alter table shop.things enable row level security`)
  const things = await shape('shop', 'things')
  expect(things).toMatchObject({
    rls: true,
    realtime: true,
    primary_key: { name: 'things_pkey', columns: ['id'] },
    access: [
      { role: 'anon', privileges: ['INSERT', 'SELECT'] },
      { role: 'authenticated', privileges: [] },
      { role: 'service_role', privileges: [] },
    ],
    foreign_keys: [
      {
        name: 'made',
        columns: ['b', 'a'],
        target_columns: ['b', 'a'],
        on_update: 'SET NULL',
        on_delete: 'NO ACTION',
      },
      { columns: ['parent'], target_table: 'things', on_delete: 'CASCADE' },
    ],
  })
  expect(things.columns.map(({ type }) => type)).toEqual([
    'int8',
    'shop."Mood"',
    'shop."Mood"[]',
    'numeric(10,2)',
    'numeric',
    'int4',
    'int4',
    'varchar(20)',
    'int8',
  ])
  expect(things.columns[3]?.check_name).toBe('things_price_check')
  expect(things.columns[4]?.generated).toContain('price * 1.2')
  expect(things.columns[7]).toMatchObject({ unique: true, unique_name: 'things_code_key' })
})

test('a copy has the rows, counts on behind them, and keeps its rights', async () => {
  await meta.sql(`insert into shop.things (mood, price) values ('good', 1), ('bad', 2)`)
  const things = await shape('shop', 'things')
  const copy = { name: 'copies', comment: 'A copy', withRows: true, given: [] }
  await executeChange(duplicateTable(things, copy))
  await meta.sql(`insert into shop.copies (mood, price) values ('good', 3)`)
  expect(await meta.sql('select id::int, gross::text from shop.copies order by id')).toEqual([
    { id: 1, gross: '1.200' },
    { id: 2, gross: '2.400' },
    { id: 3, gross: '3.600' },
  ])
  const copied = await shape('shop', 'copies')
  expect(copied).toMatchObject({ rls: true, realtime: false, comment: 'A copy' })
  expect(copied.foreign_keys.map(({ target_table: target }) => target).toSorted()).toEqual([
    'copies',
    'makers',
  ])
  expect(copied.access).toEqual(things.access)
})

test('a new table begins with what the schema gives', async () => {
  const start = await get<{ access: TableShape['access']; realtime: boolean | null }>(
    'table-start?schema=public',
  )
  expect(start.realtime).toBe(false)
  expect(start.access.map(({ role, privileges }) => [role, privileges.length])).toEqual([
    ['anon', 8],
    ['authenticated', 8],
    ['service_role', 8],
  ])
  const bare = await get<{ access: TableShape['access'] }>('table-start?schema=shop')
  expect(bare.access.every(({ privileges }) => privileges.length === 0)).toBe(true)
  const table = { ...emptyTable('public', 'shut'), access: bare.access }
  await executeChange(createTable(table, start.access))
  expect((await shape('public', 'shut')).access).toEqual(bare.access)
})

test('a diagram has tables, keys and links from column to column', async () => {
  const { tables, links, total } = await get<{
    tables: DiagramTable[]
    links: DiagramLink[]
    total: number
  }>('diagram?schema=shop')
  expect(total).toBe(3)
  const things = tables.find(({ name }) => name === 'things')
  expect(things?.columns[0]).toEqual({
    name: 'id',
    type: 'bigint',
    key: true,
    unique: true,
    nullable: false,
    identity: true,
  })
  expect(links.find(({ name }) => name === 'made')).toMatchObject({
    source: things?.id,
    source_columns: ['b', 'a'],
    target_name: null,
  })
})

test('who may only read sees the same and changes nothing', async () => {
  const found = (await listed('shop'))[0]
  expect(
    (await meta.call('GET', `table-shapes/${found?.id}`, undefined, 'plinth_read_only')).status,
  ).toBe(200)
  const change = { name: 'x', statements: ['create table public.no ()'] }
  expect((await meta.call('POST', 'changes', change, 'plinth_read_only')).status).toBe(400)
})
