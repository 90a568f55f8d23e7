import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

type Page = { columns: string[]; rows: Cell[][]; next: string | null; previous: string | null }

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table kinds (a int8, "b ""c" text, primary key (a, "b ""c"));
    insert into kinds select i, 'row ' || i from generate_series(1, 25) i;
    create table keyless (v int); insert into keyless select i from generate_series(1, 25) i;
    create view seen as select a from kinds;
    create table sorted (id int primary key, v int, w text);
    insert into sorted select i, case when i % 3 = 0 then null else i % 4 end, chr(97 + i % 5) from generate_series(1, 25) i`)
})
afterAll(() => meta.close())

async function list(name: string, input: object = {}) {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  const { status, body } = await meta.call('POST', `entities/${String(row?.id)}/rows`, input)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Page
}

test.each(['kinds', 'keyless', 'seen'])(
  '%s is paged forth and back without a gap',
  async (name) => {
    const seen: Cell[][] = []
    const pages: Page[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(name, { limit: 10, ...(cursor ? { cursor } : {}) })
      pages.push(page)
      seen.push(...page.rows)
      cursor = page.next
    }
    expect(pages.map(({ rows }) => rows.length)).toEqual([10, 10, 5])
    expect(new Set(seen.map(([first]) => first)).size).toBe(25)
    const back = await list(name, { limit: 10, cursor: pages[2]?.previous })
    expect(back.rows).toEqual(pages[1]?.rows)
    const first = await list(name, { limit: 10, cursor: back.previous })
    expect(first).toMatchObject({ rows: pages[0]?.rows ?? [], previous: null })
    expect(first.next).not.toBeNull()
  },
)

const direction = fc.constantFrom('asc', 'desc')
test('any order pages like one long list, nulls included', async () => {
  const columns = fc.uniqueArray(fc.constantFrom('v', 'w', 'id'), { maxLength: 3 })
  const sorts = fc.tuple(columns, direction, direction, direction)
  await fc.assert(
    fc.asyncProperty(
      sorts,
      fc.integer({ min: 3, max: 13 }),
      async ([names, ...directions], limit) => {
        const sort = names.map((column, i) => ({ column, direction: directions[i] ?? 'asc' }))
        const whole = (await list('sorted', { sort, limit: 100 })).rows
        const order = [...sort.map((s) => `${s.column} ${s.direction}`), 'id'].join(', ')
        const expected = await meta.sql(`select s.id::text as key from sorted s order by ${order}`)
        expect(whole.map(([id]) => id)).toEqual(expected.map(({ key }) => key))
        const forth: Cell[][] = []
        let page = await list('sorted', { sort, limit })
        for (forth.push(...page.rows); page.next; forth.push(...page.rows))
          page = await list('sorted', { sort, limit, cursor: page.next })
        expect(forth).toEqual(whole)
        const back = [...page.rows]
        for (; page.previous; back.unshift(...page.rows))
          page = await list('sorted', { sort, limit, cursor: page.previous })
        expect(back).toEqual(whole)
      },
    ),
    { numRuns: 15 },
  )
})

test('a table that changes is seen as it is at once', async () => {
  await meta.sql('create table moving (id int primary key, a int)')
  expect((await list('moving')).columns).toEqual(['id', 'a'])
  await meta.sql('alter table moving add column b text')
  expect((await list('moving')).columns).toEqual(['id', 'a', 'b'])
  await meta.sql(
    'alter table moving rename column a to c; alter table moving drop constraint moving_pkey',
  )
  expect((await list('moving', { sort: [{ column: 'c', direction: 'asc' }] })).columns).toEqual([
    'id',
    'c',
    'b',
  ])
})
