import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quoteLiteral as q } from '#contract/ddl/sql-text'
import { joinValues } from '#contract/database/rows/filter-values'
import type { Cell, FilterOperator, RowFilter } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** Filters select exactly the rows that the same conditions, written by hand, select. */
let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(String.raw`
    create table random (id serial primary key, t text, n int, l text[], jb jsonb);
    insert into random (t, n, l, jb)
    select t, n, array[t, n::text], jsonb_build_object('a', jsonb_build_array(t, n), t, n)
    from unnest(array['a', 'A', 'b', '%', '_', '\', 'a%', 'a_b', '', ' ', ',', '"', '{', 'null']) t, generate_series(0, 3) n;
    insert into random default values`)
})
afterAll(() => meta.close())

type Pair = { filter: RowFilter; sql: string }
const texts = ['a', 'A', 'b', '%', '_', '\\', 'a%', 'a_b', '', ' ', ',', '"', '{', 'null']
const text = fc.constantFrom(...texts)
const few = fc.array(text, { maxLength: 3 })
const number = fc.integer({ min: -1, max: 4 })
const filter = (column: string, operator: FilterOperator, value: string, path?: string) => ({
  column,
  operator,
  value,
  ...(path === undefined ? {} : { path }),
})
const arrayOf = (all: string[]) => `array[${all.map(q).join(', ')}]::text[]`
const pathOf = (key: string) => `"${key.replaceAll('"', '""')}"`

const pair: fc.Arbitrary<Pair> = fc.oneof(
  text.map((t) => ({
    filter: filter('t', 'contains', t),
    sql: `position(lower(${q(t)}) in lower(t)) > 0`,
  })),
  text.map((t) => ({
    filter: filter('t', 'starts with', t),
    sql: `starts_with(lower(t), lower(${q(t)}))`,
  })),
  fc.tuple(number, number).map(([a, b]) => ({
    filter: filter('n', 'between', `${a}, ${b}`),
    sql: `n >= ${a} and n <= ${b}`,
  })),
  fc.tuple(text, text).map(([a, b]) => ({
    filter: filter('t', 'between', joinValues([a, b])),
    sql: `t >= ${q(a)} and t <= ${q(b)}`,
  })),
  few.map((all) => ({
    filter: filter('t', 'in', joinValues(all)),
    sql: `t = any (${arrayOf(all)})`,
  })),
  few.map((all) => ({ filter: filter('l', '@>', joinValues(all)), sql: `l @> ${arrayOf(all)}` })),
  few.map((all) => ({ filter: filter('l', '&&', joinValues(all)), sql: `l && ${arrayOf(all)}` })),
  fc.tuple(text, number).map(([key, n]) => ({
    filter: filter('jb', '=', String(n), pathOf(key)),
    sql: `jb ->> ${q(key)} = '${n}'`,
  })),
  text.map((key) => ({ filter: filter('jb', 'exists', '', pathOf(key)), sql: `jb ? ${q(key)}` })),
  text.map((t) => ({
    filter: filter('jb', '@>', JSON.stringify({ a: [t] })),
    sql: `jb -> 'a' ? ${q(t)}`,
  })),
  number.map((n) => ({
    filter: { condition: `n < ${n} or n is null` },
    sql: `(n < ${n} or n is null)`,
  })),
)
const oneToThree = { minLength: 1, maxLength: 3 }

test('filters and groups of them select what SQL selects', async () => {
  const [table] = await meta.sql("select 'random'::regclass::oid::int as id")
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(pair, oneToThree), oneToThree), async (groups) => {
      const filters = groups.flatMap((group, at) =>
        group.map((one, i) => (at > 0 && i === 0 ? { ...one.filter, or: true } : one.filter)),
      )
      const answer = await meta.call('POST', `entities/${Number(table?.id)}/rows`, { filters })
      const sql = groups.map((group) => group.map((one) => `(${one.sql})`).join(' and '))
      const expected = await meta.sql(
        `select id::text from random where ${sql.join(' or ')} order by random.id`,
      )
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      const { rows } = answer.body as { rows: Cell[][] }
      expect(rows.map(([id]) => id)).toEqual(expected.map(({ id }) => id))
    }),
    { numRuns: 60 },
  )
})
