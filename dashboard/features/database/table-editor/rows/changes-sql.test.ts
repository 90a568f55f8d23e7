import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import type { NewCell, RowChange } from '#contract/database/rows/table-rows'
import { changesSql } from './changes-sql.ts'

beforeAll(() => loadModule())

test('changes read as SQL', () => {
  const table = { schema: 'public', name: 'Books' }
  const changes: RowChange[] = [
    { kind: 'delete', key: { id: '1' } },
    {
      kind: 'update',
      key: { id: '2' },
      set: { title: { from: 'a', to: "it's" }, n: { to: null } },
    },
    { kind: 'insert', values: { title: '', n: { default: true } } },
    { kind: 'insert', values: {} },
  ]
  expect(changesSql(table, changes)).toBe(
    `begin;

delete from public."Books"
where id = '1';

update public."Books"
set title = 'it''s', n = null
where id = '2';

insert into public."Books" (title)
values ('');

insert into public."Books" default values;

commit;`,
  )
})

const name = fc.oneof(
  fc.constantFrom('select', 'a"b', "'; drop table x; --", 'Über'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0')),
)
const value: fc.Arbitrary<NewCell> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom("\\'; drop table x; --", '=1+1'),
  fc.constant(null),
  fc.constant({ default: true as const }),
)
const cells = fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 })
const key = fc.dictionary(name, fc.constantFrom('1', "'", '\\'), { minKeys: 1, maxKeys: 2 })
const change: fc.Arbitrary<RowChange> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), values: cells }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({
    kind: fc.constant('update' as const),
    key,
    set: cells.map((all) =>
      Object.fromEntries(Object.entries(all).map(([column, to]) => [column, { to }])),
    ),
  }),
)

test(
  'whatever is in names and values, each change is one statement of its kind',
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(name, name, fc.array(change, { maxLength: 3 }), (schema, table, changes) => {
        const { stmts } = parseSync(changesSql({ schema, name: table }, changes))
        const kinds = (stmts ?? []).map(({ stmt }: { stmt?: object }) => Object.keys(stmt ?? {})[0])
        const expected = { insert: 'InsertStmt', update: 'UpdateStmt', delete: 'DeleteStmt' }
        expect(kinds.slice(1, -1)).toEqual(changes.map(({ kind }) => expected[kind]))
        expect([kinds[0], kinds.at(-1)]).toEqual(['TransactionStmt', 'TransactionStmt'])
      }),
      { numRuns: 1000 },
    )
  },
)
