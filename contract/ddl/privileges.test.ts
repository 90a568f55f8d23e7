import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import {
  changeColumnAccess,
  columnPrivileges,
  grantPrivilege,
  holdsOn,
  revokePrivilege,
  withColumn,
  withTable,
  type ColumnAccess,
} from './privileges.ts'
import { hostileName } from '../testing/tables.ts'

const of = { schema: 'public', table: 'people', role: 'anon' }
const none: ColumnAccess = { table: [], columns: {} }

test('columns are granted and revoked in one statement each', () => {
  const after: ColumnAccess = {
    table: [],
    columns: { name: ['SELECT', 'UPDATE'], 'Odd "one"': ['SELECT'] },
  }
  expect(changeColumnAccess(of, none, after)).toEqual({
    name: 'column_privileges_of_anon_on_people',
    statements: [
      'grant select (name, "Odd ""one"""), update (name) on table public.people to anon',
    ],
    inverse: [
      'revoke select (name, "Odd ""one"""), update (name) on table public.people from anon',
    ],
  })
  expect(changeColumnAccess(of, after, after)).toBeUndefined()
})

test('a column taken out of a table that is held as a whole leaves the others', () => {
  const before: ColumnAccess = { table: ['SELECT', 'INSERT'], columns: {} }
  const after = withColumn(before, ['id', 'name', 'salary'], 'salary', 'SELECT', false)
  expect(after).toEqual({ table: ['INSERT'], columns: { id: ['SELECT'], name: ['SELECT'] } })
  expect(changeColumnAccess(of, before, after)).toMatchObject({
    statements: [
      'revoke select on table public.people from anon',
      'grant select (id, name) on table public.people to anon',
    ],
    inverse: [
      'revoke select (id, name) on table public.people from anon',
      'grant select on table public.people to anon',
    ],
  })
})

test('what stays of a column is granted again when its table loses the privilege', () => {
  const before: ColumnAccess = { table: ['SELECT'], columns: { id: ['SELECT'] } }
  const after: ColumnAccess = { table: [], columns: { id: ['SELECT'] } }
  expect(changeColumnAccess(of, before, after)?.statements).toEqual([
    'revoke select on table public.people from anon',
    'grant select (id) on table public.people to anon',
  ])
})

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 15 })
  .filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value))
const privileges = fc.subarray([...columnPrivileges])
const names = fc.uniqueArray(fc.oneof(name, fc.constant('__proto__')), {
  minLength: 1,
  maxLength: 5,
})
const access = (columns: readonly string[]): fc.Arbitrary<ColumnAccess> =>
  fc.record({
    table: privileges,
    columns: fc
      .array(privileges, { minLength: columns.length, maxLength: columns.length })
      .map((held) => Object.fromEntries(columns.map((column, at) => [column, held[at] ?? []]))),
  })

/** What GRANT and REVOKE do, as Postgres documents it. */
async function execute(start: ColumnAccess, statements: readonly string[]) {
  const table = new Set(start.table)
  const columns = new Map(Object.entries(start.columns).map(([c, held]) => [c, new Set(held)]))
  for (const sql of statements) {
    const { stmts = [] } = await parse(sql)
    const node = stmts[0]?.stmt
    if (stmts.length !== 1 || !node || !('GrantStmt' in node)) throw new Error(sql)
    const { is_grant: grants = false, privileges: given = [] } = node.GrantStmt
    for (const one of given) {
      if (!('AccessPriv' in one)) throw new Error(sql)
      const privilege = columnPrivileges.find((p) => p.toLowerCase() === one.AccessPriv.priv_name)
      if (!privilege) throw new Error(sql)
      const cols = one.AccessPriv.cols?.map((c) => ('String' in c ? c.String.sval : ''))
      if (!cols) {
        if (grants) table.add(privilege)
        else {
          table.delete(privilege)
          for (const held of columns.values()) held.delete(privilege)
        }
      }
      for (const column of cols ?? []) {
        const held = columns.get(column ?? '') ?? new Set()
        columns.set(column ?? '', held)
        if (grants) held.add(privilege)
        else held.delete(privilege)
      }
    }
  }
  return { table, columns }
}

test('from anything to anything, whatever the columns are called, and back', async () => {
  const two = names.chain((columns) => fc.tuple(access(columns), access(columns)))
  await fc.assert(
    fc.asyncProperty(
      two,
      fc.record({ schema: name, table: name, role: name }),
      async (pair, on) => {
        const [before, after] = pair
        const change = changeColumnAccess(on, before, after)
        const expected = async (from: ColumnAccess, to: ColumnAccess, statements: string[]) => {
          const made = await execute(from, statements)
          expect([...made.table].toSorted()).toEqual(to.table.toSorted())
          for (const [column, held] of Object.entries(to.columns))
            expect([...(made.columns.get(column) ?? [])].toSorted()).toEqual(held.toSorted())
        }
        await expected(before, after, change?.statements ?? [])
        await expected(after, before, change?.inverse ?? [])
      },
    ),
    { numRuns: 1000 },
  )
}, 60_000)

test('a tick changes that one privilege of that one column, or of every column', () => {
  const any = names.chain((columns) =>
    fc.tuple(fc.constant(columns), access(columns), fc.constantFrom(...columns), fc.boolean()),
  )
  fc.assert(
    fc.property(any, fc.constantFrom(...columnPrivileges), ([all, before, column, on], p) => {
      const after = withColumn(before, all, column, p, on)
      for (const name of all)
        for (const q of columnPrivileges)
          expect(holdsOn(after, name, q)).toBe(
            name === column && q === p ? on : holdsOn(before, name, q),
          )
      const whole = withTable(before, p, on)
      for (const name of all) expect(holdsOn(whole, name, p)).toBe(on)
    }),
    { numRuns: 1000 },
  )
})

test('one privilege of a table or of its columns is given and taken, whatever they are called', async () => {
  expect(
    grantPrivilege({ privilege: 'ALL', schema: 'public', table: 'a', grantee: 'PUBLIC' }, true),
  ).toMatchObject({
    statements: ['grant all on table public.a to public with grant option'],
    inverse: ['revoke all on table public.a from public'],
  })
  await fc.assert(
    fc.asyncProperty(
      hostileName,
      hostileName,
      fc.array(hostileName, { maxLength: 3 }),
      fc.constantFrom(...columnPrivileges),
      async (table, grantee, columns, privilege) => {
        const held = { privilege, schema: 'public', table, columns, grantee }
        for (const change of [grantPrivilege(held, true), revokePrivilege(held)])
          for (const sql of [...change.statements, ...(change.inverse ?? [])])
            expect((await parse(sql)).stmts, sql).toHaveLength(1)
      },
    ),
    { numRuns: 1000 },
  )
}, 60_000)
