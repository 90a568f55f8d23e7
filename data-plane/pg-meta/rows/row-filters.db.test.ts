import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
let id: number
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(String.raw`
    create type mood as enum ('sad', 'glad');
    create domain tags as text[];
    create table things (
      id int primary key, t text, n numeric, at date, l text[], k int[], m mood[], d tags, j json, jb jsonb, r int4range
    );
    insert into things values
      (1, '100% Wool', 9, '2026-01-01', '{a,"b,c"}', '{1,2}', '{sad}', '{x}', '{"a":{"b":[1,"x"]}}', '{"a":{"b":[1,"x"]},"q":true}', '[1,5)'),
      (2, 'a_b', 10, '2026-01-02', '{"{a}"}', '{2,3}', '{sad,glad}', '{y}', '{"a":null}', '{"a":null}', '[5,9)'),
      (3, 'axb\c', 11, '2026-01-03', '{}', '{}', '{}', '{}', '[{"k.1":"v"}]', '[{"k.1":"v"}]', 'empty'),
      (4, null, null, null, null, null, null, null, null, null, null)`)
  const [row] = await meta.sql("select 'things'::regclass::oid::int as id")
  id = Number(row?.id)
})
afterAll(() => meta.close())

const ask = (filters: object[], more: object = {}, path = 'rows') =>
  meta.call('POST', `entities/${id}/${path}`, { filters, ...more })
const where = (column: string, operator: string, value: string, path?: string) => [
  { column, operator, value, ...(path === undefined ? {} : { path }) },
]

test.each<[string, string, string, number[], string?]>([
  ['t', 'contains', 'WOOL', [1]],
  ['t', 'contains', '%', [1]],
  ['t', 'contains', '_', [2]],
  ['t', 'contains', String.raw`\c`, [3]],
  ['t', 'contains', '', [1, 2, 3]],
  ['t', 'starts with', 'A', [2, 3]],
  ['t', 'starts with', 'a_', [2]],
  ['n', 'between', '9, 10', [1, 2]],
  ['n', 'between', '10, 9', []],
  ['at', 'between', '2026-01-02, 2026-01-03', [2, 3]],
  ['t', 'between', '"a_b", "a_c"', [2]],
  ['l', '@>', 'a', [1]],
  ['l', '@>', '"b,c", a', [1]],
  ['l', '@>', '"{a}"', [2]],
  ['l', '@>', '{"b,c"}', [1]],
  ['l', '@>', '', [1, 2, 3]],
  ['l', '&&', 'z, a', [1]],
  ['k', '@>', '2', [1, 2]],
  ['k', '&&', '1, 3', [1, 2]],
  ['m', '@>', 'glad', [2]],
  ['d', '&&', 'x, y', [1, 2]],
  ['jb', '@>', '{"q": true}', [1]],
  ['j', '@>', '{"a": {"b": ["x"]}}', [1]],
  ['r', '@>', '[2,3)', [1]],
  ['jb', '=', 'x', [1], 'a.b[1]'],
  ['j', '=', '1', [1], 'a.b[0]'],
  ['jb', '=', 'x', [1], 'a.b[-1]'],
  ['jb', '<>', 'x', [], 'a.b[1]'],
  ['jb', 'contains', 'X', [1], 'a.b'],
  ['jb', 'starts with', 'T', [1], 'q'],
  ['jb', 'in', 'true, false', [1], 'q'],
  ['jb', 'exists', '', [1, 2], 'a'],
  ['jb', 'exists', '', [1], 'a.b[1]'],
  ['jb', 'is', 'null', [2, 3, 4], 'a'],
  ['jb', '=', 'v', [3], '[0]."k.1"'],
  ['jb', '@>', '["x"]', [1], 'a.b'],
  ['j', '@>', '["x"]', [1], 'a.b'],
  ['jb', '=', "' or true --", [], String.raw`"'}\"`],
])('%s %s %s finds %j', async (column, operator, value, ids, path) => {
  const { status, body } = await ask(where(column, operator, value, path))
  expect(status, JSON.stringify(body)).toBe(200)
  expect((body as { rows: Cell[][] }).rows.map(([first]) => Number(first))).toEqual(ids)
})

test.each<[string, object[]]>([
  ['one value for between', where('n', 'between', '1')],
  ['three values for between', where('n', 'between', '1, 2, 3')],
  ['a text between numbers', where('n', 'between', 'a, b')],
  ['a quote that is not closed', where('l', '@>', '"a')],
  ['a malformed array', where('k', '@>', '{1')],
  ['text in an array of numbers', where('k', '@>', 'x')],
  ['a value that no enum has', where('m', '&&', 'mad')],
  ['JSON that is none', where('jb', '@>', '{a')],
  ['an array operator for text', where('t', '&&', 'a')],
  ['a path that is none', where('jb', '=', 'x', 'a..b')],
  ['a path into text', where('t', '=', 'x', 'a')],
  ['an order of what a path finds', where('jb', '>', '1', 'a')],
  ['exists without a path', where('jb', 'exists', '')],
  ['a NUL in a value', where('t', 'contains', 'a\0')],
  ['a NUL in a path', where('jb', '=', 'x', 'a\0')],
  ['a condition that is not true or false', [{ condition: 'n' }]],
  ['a column that there is not', [{ condition: 'nothing > 1' }]],
  ['an aggregate', [{ condition: 'count(*) > 1' }]],
  ['a set', [{ condition: 'generate_series(1, 2) = 1' }]],
  ['neither a column nor a condition', [{ operator: '=', value: '1' }]],
])('%s is refused with a reason', async (_, filters) => {
  for (const [path, more] of [
    ['rows', {}],
    ['count', { exact: true }],
    ['export', { format: 'csv' }],
    ['remove', { max: 9 }],
  ] as const) {
    expect(await ask(filters, more, path)).toMatchObject({
      status: 400,
      body: { message: expect.any(String) },
    })
  }
})
