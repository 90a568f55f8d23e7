import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import type { Change } from './change.ts'
import { changeExtension, disableExtension, enableExtension } from './extensions.ts'
import {
  createForeignTable,
  createMappingSql,
  createServer,
  dropForeignTable,
  dropMapping,
  dropServer,
  importForeignSchema,
  replaceMapping,
} from './foreign-data.ts'
import { createIndex, dropIndex, indexMethods, indexName, rebuildIndex } from './indexes.ts'
import { parameterValue, setParameter } from './parameters.ts'
import {
  changePublication,
  createPublication,
  dropPublication,
  publishedOperations,
} from './publications.ts'
import { changeRole, createRole, dropRole } from './roles.ts'
import { hostileName as name } from '../testing/tables.ts'

const table = fc.record({ schema: name, name })
const tables = fc.uniqueArray(table, {
  maxLength: 4,
  selector: (one) => `${one.schema.length} ${one.schema}${one.name}`,
})
const operations = fc.subarray([...publishedOperations])
const option = fc.dictionary(
  name,
  fc.string({ maxLength: 12 }).filter((v) => !v.includes('\0')),
  {
    maxKeys: 3,
  },
)
const maybe = <T>(what: fc.Arbitrary<T>) => fc.option(what, { nil: undefined })
const flags = fc.record(
  { can_login: fc.boolean(), inherit_role: fc.boolean(), can_bypass_rls: fc.boolean() },
  { requiredKeys: [] },
)
const role = fc.record(
  {
    name,
    can_login: fc.boolean(),
    can_create_db: fc.boolean(),
    connection_limit: fc.integer({ min: -1, max: 1000 }),
    config: fc.dictionary(
      fc.constantFrom('work_mem', 'search_path', 'app.tenant', 'app.Mixed'),
      fc.string({ minLength: 1, maxLength: 20 }).filter((value) => !value.includes('\0')),
    ),
  },
  { requiredKeys: ['name'] },
)

/** Every statement is exactly one of Postgres's grammar, of one of these kinds, and says these names as they are. */
async function holds(change: Change, kinds: RegExp, names: readonly string[]): Promise<void> {
  expect(change.name).toMatch(/^[a-z0-9_]{1,120}$/)
  const all = [...change.statements, ...(change.inverse ?? [])]
  const said = new Set<string>()
  for (const statement of all) {
    const { stmts = [] } = await parse(statement)
    expect(stmts.length, statement).toBe(1)
    const [node] = stmts
    expect(Object.keys(node?.stmt ?? {})[0], statement).toMatch(kinds)
    collect(node, said)
  }
  if (change.statements.length > 0)
    for (const one of names) expect(said, JSON.stringify(all)).toContain(one)
}
function collect(node: unknown, into: Set<string>): void {
  if (typeof node === 'string') into.add(node)
  else if (typeof node === 'object' && node !== null)
    for (const child of Object.values(node)) collect(child, into)
}
const check = <T>(arbitrary: fc.Arbitrary<T>, holdsFor: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, holdsFor), { numRuns: 1000 })

test('extensions are enabled, moved, updated and disabled under any name', async () => {
  const desired = fc.record({
    name,
    schema: maybe(name),
    version: maybe(fc.string({ minLength: 1 }).filter((v) => !v.includes('\0'))),
    cascade: fc.boolean(),
    createSchema: fc.boolean(),
  })
  await check(fc.tuple(desired, name), async ([one, other]) => {
    const kinds = /^(CreateExtension|CreateSchema|AlterExtension|AlterObjectSchema|Drop)Stmt$/
    await holds(enableExtension(one), kinds, [one.name, one.schema ?? one.name])
    const there = { name: one.name, schema: one.schema ?? null }
    await holds(disableExtension({ ...there, cascade: one.cascade }), kinds, [one.name])
    await holds(changeExtension(there, { version: one.version }), kinds, [])
    await holds(changeExtension(there, { version: null, schema: other }), kinds, [])
  })
})

test('indexes are made, rebuilt and dropped, whatever they are called and on whatever they are', async () => {
  const desired = fc.record({
    schema: name,
    table: name,
    name: maybe(name),
    columns: fc
      .uniqueArray(name, { minLength: 1, maxLength: 32 })
      .map((names) => names.map((column, i) => ({ name: column, descending: i % 2 === 1 }))),
    method: fc.constantFrom(...indexMethods),
    unique: fc.boolean(),
    concurrently: fc.boolean(),
    where: fc.constantFrom(undefined, '', 'a > 1', "b = ')' -- done", ' c is null\n'),
  })
  await check(desired, async (one) => {
    const made = one.name ?? indexName(one.table, one.columns)
    expect(new TextEncoder().encode(made).length).toBeLessThanOrEqual(63)
    const names = [one.schema, one.table, made, ...one.columns.map((column) => column.name)]
    const change = createIndex(one)
    expect(change.transaction).toBe(one.concurrently ? false : undefined)
    if (one.concurrently) expect(change.statements).toHaveLength(1)
    await holds(change, /^(Index|Drop)Stmt$/, names)
    const there = { schema: one.schema, name: made, definition: change.statements[0] ?? '' }
    await holds(dropIndex(there, one), /^(Index|Drop)Stmt$/, [made])
    await holds(rebuildIndex(there), /^ReindexStmt$/, [one.schema, made])
  })
})

test('publications are made, changed both ways and dropped', async () => {
  const desired = fc.record({ name, owner: name, operations, tables: fc.option(tables) })
  await check(fc.tuple(desired, name, tables, operations), async ([one, other, more, kinds]) => {
    const nodes = /^(CreatePublication|AlterPublication|Drop|Rename|AlterOwner)Stmt$/
    await holds(createPublication(one, one.owner), nodes, [one.name, one.owner])
    await holds(dropPublication(one), nodes, [one.name])
    const next = { name: other, operations: kinds, tables: one.tables && more }
    const change = changePublication(one, next)
    await holds(change, nodes, [])
    if (other !== one.name) expect(change.statements.length).toBeGreaterThan(0)
    expect(changePublication(one, one).statements).toEqual([])
  })
  expect(() =>
    changePublication({ name: 'p', owner: 'o', operations: [], tables: null }, { tables: [] }),
  ).toThrow(TypeError)
})

test('roles are made, changed both ways and dropped; what stays is not said', async () => {
  await check(fc.tuple(role, role, flags, fc.array(name, { maxLength: 3 })), async (all) => {
    const [one, other, more, groups] = all
    const nodes =
      /^(CreateRole|AlterRole|AlterRoleSet|GrantRole|Drop|DropRole|DropOwned|Rename)Stmt$/
    await holds(createRole({ ...one, ...more, member_of: groups }), nodes, [one.name, ...groups])
    await holds(changeRole(one, { ...other, ...more }), nodes, [])
    await holds(dropRole(one, groups.length > 1), nodes, [one.name])
    expect(changeRole(one, one).statements).toEqual([])
  })
})

test('parameters are set and reset, and a list stays a list of names', async () => {
  const place = fc.oneof(fc.record({ database: name }), fc.record({ role: name }))
  const value = fc.option(fc.string({ minLength: 1 }).filter((v) => !v.includes('\0')))
  await check(fc.tuple(place, value, value), ([where, from, to]) =>
    holds(
      setParameter(where, { name: 'app.setting', from, to }),
      /^(AlterDatabaseSet|AlterRoleSet)Stmt$/,
      Object.values(where),
    ),
  )
  expect(parameterValue('search_path', '"$user", public, "a,""b"')).toBe(
    `'$user', 'public', 'a,"b'`,
  )
  expect(parameterValue('work_mem', '4MB')).toBe(`'4MB'`)
})

test('servers, logins, imports and foreign tables, whatever they are told', async () => {
  const desired = fc.record({ name, wrapper: name, options: option, user: name, schema: name })
  await check(fc.tuple(desired, fc.array(name, { maxLength: 3 })), async ([one, names]) => {
    const kinds =
      /^(CreateForeignServer|CreateUserMapping|DropUserMapping|ImportForeignSchema|CreateForeignTable|CreateSchema|Drop)Stmt$/
    await holds(createServer(one), kinds, [one.name, one.wrapper])
    await holds(dropServer(one, names.length > 1), kinds, [one.name])
    const mapping = { server: one.name, user: one.user, options: one.options }
    const login: Change = { name: 'login', statements: [createMappingSql(mapping)] }
    await holds(login, kinds, [one.name])
    await holds(replaceMapping(mapping), kinds, [one.name])
    await holds(dropMapping(mapping), kinds, [one.name])
    await holds(
      importForeignSchema({
        server: one.name,
        remote: one.schema,
        local: one.user,
        createLocal: true,
        only: names,
      }),
      kinds,
      [one.schema, one.user, ...names],
    )
    const there = { schema: one.schema, name: one.user }
    await holds(
      createForeignTable({
        ...there,
        server: one.name,
        columns: names.map((column) => ({ name: column, type: 'text' })),
        options: one.options,
      }),
      kinds,
      [one.schema, one.user, one.name, ...names],
    )
    await holds(dropForeignTable(there), kinds, [one.schema, one.user])
  })
})
