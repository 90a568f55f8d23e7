import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell, RowChange } from '#contract/table-rows'
import { startMeta, type Meta } from '../testing.ts'
import { transferOf, type Transfer } from './transfer-testing.ts'

let meta: Meta
let transfer: Transfer
beforeAll(async () => {
  meta = await startMeta()
  transfer = transferOf(meta)
  await meta.sql(`
    create type mood as enum ('sad', 'so "so"', 'a,b');
    create type pair as (a int, b text);
    create domain short as varchar(5);
    create table kinds (
      id int8 generated always as identity primary key, n numeric, b int8, f float8, t text, v bool, at timestamptz, d date, ti time, tz timetz,
      i interval, u uuid, x bytea, j json, jb jsonb, l text[], m int[][], e mood, c pair, r int4range, mr nummultirange, ip inet, p point, bits varbit,
      ts tsvector, s short, ch char(4), mo money, twice int8 generated always as (b * 2) stored
    )`)
})
afterAll(() => meta.close())

/** Texts that programs like to take for something else. */
const nasty = fc.constantFrom(
  '=1+1',
  '@x',
  '-2+3',
  '<script>',
  "'; drop table x; --",
  '\\N',
  '\\.',
  'NULL',
  ' ',
  '\t',
  '\r\n',
  '"',
  ',',
  '\\',
)
const word = fc
  .oneof(nasty, fc.string({ unit: 'binary', maxLength: 12 }))
  .map((text) => text.replaceAll('\0', ''))
const literal = (text: string) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
const of = (...values: string[]) => fc.constantFrom(...values)
const digits = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
/** SQL for one value of each column. */
const valuesOf: Record<string, fc.Arbitrary<string>> = {
  n: fc.oneof(
    of("'NaN'", "'Infinity'", '0.1000', '1e-30'),
    fc.tuple(digits, fc.nat()).map(([a, b]) => `${a}.${b}`),
  ),
  b: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n - 1n }).map((n) => `'${n}'`),
  f: fc.oneof(
    of("'NaN'", "'-Infinity'", '0.1', '1e308'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => `'${n}'`),
  ),
  t: word.map(literal),
  v: of('true', 'false'),
  at: of(
    "'infinity'",
    "'-infinity'",
    "'2026-02-03 04:05:06.789012+05:30'",
    "'0044-03-15 12:00 BC'",
  ),
  d: of("'infinity'", "'1999-12-31'", "'4000-01-01 BC'"),
  ti: of("'24:00'", "'00:00:00.000001'"),
  tz: of("'12:00:01.5+05:45'"),
  i: of("'1 year -2 mons 3 days -04:05:06.7'", "'-1 day'"),
  u: fc.uuid().map((id) => `'${id}'`),
  x: fc.uint8Array({ maxLength: 12 }).map((bytes) => `'\\x${Buffer.from(bytes).toString('hex')}'`),
  j: fc
    .json()
    .filter((text) => !text.includes('\\u0000'))
    .map(literal),
  jb: fc
    .json()
    .filter((text) => !text.includes('\\u'))
    .map(literal),
  l: fc
    .array(fc.oneof(word.map(literal), of('null')), { maxLength: 4 })
    .map((all) => `array[${all.join(',')}]::text[]`),
  m: of("'{{1,2},{3,NULL}}'", "'[0:1][2:3]={{1,2},{3,4}}'", "'{}'"),
  e: of("'sad'", `'so "so"'`, "'a,b'"),
  c: fc
    .tuple(fc.integer({ min: -9, max: 9 }), word)
    .map(([a, b]) => `row(${a}, ${literal(b)})::pair`),
  r: of("'[1,5)'", "'empty'", "'(,)'"),
  mr: of("'{[1,2),[3.5,4]}'", "'{}'"),
  ip: of("'10.0.0.1/8'", "'::1'"),
  p: of("'(1.5,-2e10)'"),
  bits: of("'10110'", "''"),
  ts: of("'''a b'':1 ''it''''s'''"),
  s: of("'ab'", "''", "'     '"),
  ch: of("'ab'", "''"),
  mo: of("'-12.34'"),
}
const names = Object.keys(valuesOf)
const row = fc.record(
  Object.fromEntries(
    names.map((name) => [name, fc.option(valuesOf[name] ?? of('null'), { nil: 'null', freq: 6 })]),
  ),
)
const rows = fc.array(row, { minLength: 1000, maxLength: 1000 })

test.each(['csv', 'sql'] as const)(
  'a thousand rows of every type leave and come back as %s',
  async (format) => {
    const seed = Date.now()
    const [sample] = fc.sample(rows, { numRuns: 1, seed })
    const inserts = (sample ?? []).map(
      (one) => `(${names.map((name) => one[name] ?? 'null').join(',')})`,
    )
    await meta.sql(
      `truncate kinds restart identity; insert into kinds (${names.join(', ')}) values ${inserts.join(',\n')}`,
    )
    await meta.sql('drop table if exists copied; create table copied (like kinds including all)')
    const file = await transfer.exported('kinds', { format })
    if (format === 'sql') await meta.sql(file.replaceAll('"public"."kinds"', 'copied'))
    else {
      const columns = ['id', ...names, null]
      const answer = await transfer.imported({ table: 'copied', columns }, file)
      expect(answer.body, `seed ${seed}`).toMatchObject({ kept: true, rows: 1000, bad: 0 })
    }
    const text = (table: string) =>
      `select id, t::text as t, md5(t::text) from (select ${['id', ...names, 'twice'].join(', ')} from ${table}) t`
    const different = await meta.sql(`(${text('kinds')} except ${text('copied')}) limit 3`)
    expect(different, `seed ${seed}`).toEqual([])
    const total = await meta.sql('select count(*)::int as n from copied')
    expect(total).toEqual([{ n: 1000 }])
  },
)

test('a thousand rows of every type go through the grid and back: read, deleted, and put back', async () => {
  const id = await transfer.idOf('kinds')
  const before = await meta.sql('select id, md5(k::text) from kinds k order by id')
  const list = await meta.call('POST', `entities/${id}/rows`, { limit: 1000 })
  const { columns, rows: cells } = list.body as { columns: string[]; rows: Cell[][] }
  // A number is never cut, and a key never NULL.
  const keyOf = (cell: Cell[]) => ({ id: cell[columns.indexOf('id')] as string })
  // Every cell is written again as it was read.
  const changes: RowChange[] = cells.map((cell) => ({
    kind: 'update',
    key: keyOf(cell),
    set: Object.fromEntries(
      names.map((name) => {
        const value = cell[columns.indexOf(name)] ?? null
        if (typeof value === 'object' && value !== null) throw new Error(`${name} is cut`)
        return [name, { from: value, to: value }]
      }),
    ),
  }))
  const path = `entities/${id}/apply`
  for (let at = 0; at < changes.length; at += 100) {
    const part = changes.slice(at, at + 100)
    const written = await meta.call('POST', path, { changes: part })
    expect(written.status, JSON.stringify(written.body).slice(0, 500)).toBe(200)
  }
  expect(await meta.sql('select id, md5(k::text) from kinds k order by id')).toEqual(before)
  const deletes = cells.slice(0, 100).map((cell) => ({ kind: 'delete', key: keyOf(cell) }))
  const gone = await meta.call('POST', path, { changes: deletes })
  const { inverse } = gone.body as { inverse: RowChange[] }
  expect((await meta.call('POST', path, { changes: inverse })).status).toBe(200)
  expect(await meta.sql('select id, md5(k::text) from kinds k order by id')).toEqual(before)
})
