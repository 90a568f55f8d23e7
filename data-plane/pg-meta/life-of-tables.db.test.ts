import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Index } from '#contract/database/database-object-shapes'
import { createTable } from '#contract/ddl/tables/create-table'
import { dropTable } from '#contract/ddl/tables/drop-table'
import { editTable } from '#contract/ddl/tables/edit-table'
import { createIndex, dropIndex } from '#contract/ddl/indexes'
import {
  changePolicy,
  createPolicy,
  dropPolicy,
  hasCheck,
  hasDefinition,
  policyCommands,
} from '#contract/ddl/policies'
import { changeSchema, createSchema, dropSchema } from '#contract/ddl/schemas'
import { qualified, quoteIdent } from '#contract/ddl/sql-text'
import { anyColumns, emptyTable, hostileName } from '#contract/testing/tables'
import type { ColumnShape, TableShape } from '#contract/ddl/tables/table-shape'
import type { Policy, Schema } from '#contract/database/pg-meta-shapes'
import { listPolicies } from './access/policies.ts'
import { live, within } from '../testing/pg-meta/life.ts'
import { listIndexes } from './objects/indexes.ts'
import { listSchemas } from './tables/schemas.ts'
import { shapesOf } from './tables/table-shapes.ts'
import { listTables } from './tables/tables.ts'
import { startMeta, type Meta } from '../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const two = fc.uniqueArray(hostileName, { minLength: 2, maxLength: 2 })

/** Types that a column may get instead. */
const wider: Record<string, string> = {
  int4: 'int8',
  text: 'varchar(20)',
  'varchar(20)': 'text',
  bool: 'text',
  uuid: 'text',
  'numeric(10,2)': 'numeric',
}
/** `next` in the place of `old`: its name and what can be had with the old one's type, or with a wider one. */
function successor(old: ColumnShape, next: ColumnShape): ColumnShape {
  const retyped = next.comment === null ? (wider[old.type] ?? old.type) : old.type
  return {
    ...next,
    type: retyped,
    default: retyped === old.type ? old.default : null,
    unique_name: next.unique ? old.unique_name : null,
    check_name: next.check === null ? null : old.check_name,
  }
}

test('tables and their columns', async () => {
  const spec = fc.record({
    names: two,
    columns: anyColumns,
    others: anyColumns,
    keyed: fc.boolean(),
    self: fc.boolean(),
    rls: fc.boolean(),
    comment: fc.option(fc.constantFrom("it's", '\\', '名')),
  })
  await live(meta, {
    spec,
    async list(db, places) {
      const tables = await listTables(db, { ...within(places), include_columns: 'false' })
      const shapes = await shapesOf(
        db,
        tables.map(({ id }) => id),
      )
      return new Map([...shapes.values()].map((one): [string, TableShape] => [one.schema, one]))
    },
    create({ names: [name = ''], columns, keyed, self, rls, comment }, place) {
      const key = keyed ? columns.slice(0, 1).map((column) => column.name) : []
      const itself = {
        name: '',
        columns: key,
        target_schema: place,
        target_table: name,
        target_columns: key,
        on_update: 'CASCADE' as const,
        on_delete: 'SET NULL' as const,
      }
      const table = { ...emptyTable(place, name), columns, rls, comment }
      const primary_key = { name: null, columns: key }
      const foreign_keys = keyed && self ? [itself] : []
      return createTable({ ...table, primary_key, foreign_keys }, [])
    },
    created(found, { names, columns, keyed, self, rls, comment }) {
      expect(found).toMatchObject({ name: names[0], rls, comment })
      expect(found.foreign_keys).toHaveLength(keyed && self ? 1 : 0)
      const key = keyed ? columns[0]?.name : undefined
      const described = found.columns.map(({ name, type, nullable, unique, comment, ...rest }) => [
        [name, type, nullable, unique, comment],
        [rest.default !== null, rest.check !== null],
      ])
      expect(described).toEqual(
        columns.map((one) => [
          [
            one.name,
            one.type,
            one.nullable && one.name !== key,
            one.unique && one.name !== key,
            one.comment,
          ],
          [one.default !== null, one.check !== null],
        ]),
      )
    },
    edit(found, { names: [, renamed = ''], others, rls }) {
      const taken = new Set(others.map(({ name }) => name))
      const successors = found.columns.map((old, at) => {
        const next = others[at]
        if (next) return { ...successor(old, next), was: old.name }
        return { ...old, was: old.name, name: taken.has(old.name) ? `kept ${at}` : old.name }
      })
      const more = others.slice(found.columns.length)
      const key = found.primary_key.columns.length > 0 ? [successors[0]?.name ?? ''] : []
      const itself = found.foreign_keys.map((one) => ({
        ...one,
        columns: key,
        target_table: renamed,
        target_columns: key,
      }))
      return editTable(found, {
        ...found,
        name: renamed,
        rls: !rls,
        columns: [...successors, ...more],
        primary_key: { ...found.primary_key, columns: key },
        foreign_keys: itself,
      })
    },
    edited(found, { names, columns, others, rls }) {
      expect(found).toMatchObject({ name: names[1], rls: !rls })
      expect(found.columns).toHaveLength(Math.max(columns.length, others.length))
      const seen = found.columns.slice(0, others.length)
      expect(seen.map(({ name, comment }) => [name, comment])).toEqual(
        others.map(({ name, comment }) => [name, comment]),
      )
    },
    drop: (found) => dropTable(found, false),
  })
})

test('policies', async () => {
  const expression = fc.constantFrom('true', 'a > 0', "current_user <> 'a''b'", 'a in (1, 2) -- !')
  const roles = fc.oneof(
    fc.constant(['public']),
    fc.subarray(['anon', 'authenticated', 'service_role'], { minLength: 1 }),
  )
  const spec = fc.record({
    names: two,
    table: hostileName,
    action: fc.constantFrom('PERMISSIVE' as const, 'RESTRICTIVE' as const),
    command: fc.constantFrom(...policyCommands),
    roles: fc.tuple(roles, roles),
    using: fc.tuple(expression, expression),
  })
  await live(meta, {
    spec,
    before: ({ table }, place) => `create table ${qualified(place, table)} (a int)`,
    list: async (db, places) =>
      new Map(
        (await listPolicies(db, within(places))).map((one): [string, Policy] => [one.schema, one]),
      ),
    create: (
      { names: [name = ''], table, action, command, roles: [first], using: [text] },
      place,
    ) =>
      createPolicy({
        schema: place,
        table,
        name,
        action,
        command,
        roles: first,
        definition: hasDefinition(command) ? text : null,
        check: hasCheck(command) ? text : null,
      }),
    created: (found, { names: [name], table, action, command, roles: [first] }) => {
      expect(found).toMatchObject({ name, table, action, command, roles: first.toSorted() })
      expect(found.definition === null).toBe(!hasDefinition(command))
      expect(found.check === null).toBe(!hasCheck(command))
    },
    edit: (found, { names: [, name = ''], action, roles: [, second], using: [, text] }) =>
      changePolicy(found, {
        ...found,
        name,
        roles: second,
        // Half of them are made anew for this.
        action: text === 'true' ? 'RESTRICTIVE' : action,
        definition: found.definition === null ? null : text,
        check: found.check === null ? null : text,
      }),
    edited: (found, { names: [, name], command, roles: [, second] }) =>
      expect(found).toMatchObject({ name, command, roles: second.toSorted() }),
    drop: dropPolicy,
  })
})

test('indexes', async () => {
  const spec = fc.record({
    names: two,
    columns: fc.uniqueArray(hostileName, { minLength: 1, maxLength: 3 }),
    method: fc.constantFrom('btree' as const, 'brin' as const, 'hash' as const),
    descending: fc.boolean(),
    unique: fc.boolean(),
    partial: fc.boolean(),
  })
  type Spec = typeof spec extends fc.Arbitrary<infer One> ? One : never
  const columnsOf = ({ columns, method, descending }: Spec) =>
    (method === 'hash' ? columns.slice(0, 1) : columns).map((name) => ({ name, descending }))
  await live(meta, {
    spec,
    before: ({ names: [, table = ''], columns }, place) =>
      `create table ${qualified(place, table)} (${columns.map((name) => `${quoteIdent(name)} text`).join(', ')})`,
    list: async (db, places) =>
      new Map(
        (await listIndexes(db, within(places))).map((one): [string, Index] => [one.schema, one]),
      ),
    create: (one, place) =>
      createIndex({
        schema: place,
        table: one.names[1] ?? '',
        name: one.names[0],
        columns: columnsOf(one),
        method: one.method,
        unique: one.unique && one.method === 'btree',
        where: one.partial ? `${quoteIdent(one.columns[0] ?? '')} <> '--' -- !` : undefined,
      }),
    created: (found, one) => {
      expect(found).toMatchObject({
        name: one.names[0],
        table: one.names[1],
        access_method: one.method,
        is_unique: one.unique && one.method === 'btree',
        is_valid: true,
      })
      expect(found.index_attributes.map(({ attribute_name }) => attribute_name)).toEqual(
        columnsOf(one).map(({ name }) => name),
      )
      expect(found.index_predicate !== null).toBe(one.partial)
    },
    edit: () => undefined,
    edited: () => undefined,
    drop: (found) => dropIndex({ ...found, definition: found.index_definition }),
    same: ({ index_definition, name, table }) => ({ index_definition, name, table }),
  })
})

test('schemas', async () => {
  const ends = fc.uniqueArray(
    hostileName.filter((name) => Buffer.byteLength(name) <= 55),
    { minLength: 2, maxLength: 2 },
  )
  await live(meta, {
    spec: ends,
    list: async (db) => {
      const all = await listSchemas(db, { include_system_schemas: 'false', offset: 0 })
      const mine = all.flatMap((one): [string, Schema][] => {
        const place = /^(p\d+)_/.exec(one.name)?.[1]
        return place === undefined ? [] : [[place, one]]
      })
      return new Map(mine)
    },
    create: ([name = ''], place) => createSchema(`${place}_${name}`, 'postgres'),
    created: (found, [name = ''], place) =>
      expect(found).toMatchObject({ name: `${place}_${name}`, owner: 'postgres' }),
    edit: (found, [, name = ''], place) => changeSchema(found, { name: `${place}_${name}` }),
    edited: (found, [, name = ''], place) => expect(found.name).toBe(`${place}_${name}`),
    drop: ({ name }) => dropSchema(name, false),
  })
})
