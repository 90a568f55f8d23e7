import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell, RowChange } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'
import { transferOf, type Transfer } from '../../testing/pg-meta/transfer.ts'

let meta: Meta
let transfer: Transfer
beforeAll(async () => {
  meta = await startMeta()
  transfer = transferOf(meta)
  await meta.sql(`
    create type mood as enum ('sad', 'so "so"', 'a,b');
    create type pair as (a int, b text);
    create type outside as (p pair, n numeric[], m mood[]);
    create domain short as varchar(5);
    create domain amount as numeric(12, 3) check (value > -1000000);
    create domain tags as text[];
    create type span as range (subtype = float8);
    create table kinds (
      id int8 generated always as identity primary key, n numeric, b int8, f float8, t text, v bool, at timestamptz, d date, ti time, tz timetz,
      i interval, u uuid, x bytea, j json, jb jsonb, l text[], m int[][], e mood, c pair, r int4range, mr nummultirange, ip inet, p point, bits varbit,
      ts tsvector, s short, ch char(4), mo money, i2 int2, f4 float4, nn numeric(20, 5), tp timestamp, ti2 time(2), ci cidr, mac macaddr,
      mac8 macaddr8, x1 xml, b5 bit(5), bx box, ln line, sg lseg, pa path, pg polygon, cc circle, tq tsquery, jp jsonpath, lsn pg_lsn,
      dr daterange, tr tstzrange, sp span, am amount, tg tags, ou outside, es mood[], cs pair[], js json[], ivs interval[], xs bytea[],
      rs int8range[], us uuid[], ips inet[], ps point[], nm name, c1 "char", o oid, vc varchar(3), x8 xid8, twice int8 generated always as (b * 2) stored
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
  i2: of('-32768', '32767'),
  f4: fc.oneof(
    of("'NaN'", "'-Infinity'", '3.4028235e38', '1e-45', '0.1'),
    fc.float({ noNaN: true, noDefaultInfinity: true }).map((n) => `'${n}'`),
  ),
  nn: of("'NaN'", '123456789012345.12345', '-0.00001'),
  tp: of("'infinity'", "'2026-02-03 04:05:06.000001'", "'4713-01-01 BC'"),
  ti2: of("'23:59:59.99'"),
  ci: of("'10.0.0.0/8'", "'2001:db8::/32'"),
  mac: of("'08:00:2b:01:02:03'"),
  mac8: of("'08:00:2b:ff:fe:01:02:03'"),
  x1: of('\'<a b="c">&amp; <!-- d --></a>\'', "'text'", "''"),
  b5: of("'10110'", "'00000'"),
  bx: of("'(3,4),(1,2)'"),
  ln: of("'{1,-2.5,3}'"),
  sg: of("'[(1,2),(3,4)]'"),
  pa: of("'[(1,2),(3,4)]'", "'((1,2),(3,4),(5e-10,6))'"),
  pg: of("'((0,0),(1,1),(1,0))'"),
  cc: of("'<(1,2),3.5>'"),
  tq: of("'''a b'' & !c | ''it''''s'':*A'", "''"),
  jp: of('\'strict $."a b"[*] ? (@ > 1)\''),
  lsn: of("'16/B374D848'"),
  dr: of("'[2026-01-01,infinity)'", "'empty'", "'(,)'"),
  tr: of('\'["2026-01-01 00:00:00+02",infinity]\''),
  sp: of("'[-Infinity,1e308)'", "'(0.1,]'"),
  am: of('-999999.999', '0.100'),
  tg: fc.array(word.map(literal), { maxLength: 3 }).map((all) => `array[${all.join(',')}]::text[]`),
  ou: fc
    .tuple(fc.integer({ min: -9, max: 9 }), word)
    .map(([a, b]) => `row(row(${a}, ${literal(b)}), '{1.50,NaN,NULL}', '{sad,"a,b"}')::outside`),
  es: of('\'{sad,"so \\"so\\"","a,b",NULL}\'', "'{}'"),
  cs: word.map((text) => `array[row(1, ${literal(text)}), null, row(null, null)]::pair[]`),
  js: of(`array['{"a": "b,\\"c"}', 'null', '1.0']::json[]`),
  ivs: of("array['1 year -1 day', '-00:00:00.000001']::interval[]"),
  xs: of("array['\\x00ff', '\\x']::bytea[]"),
  rs: of("array['[1,5)', 'empty', null]::int8range[]"),
  us: fc.uuid().map((id) => `array['${id}', null]::uuid[]`),
  ips: of("array['10.0.0.1', '10.0.0.1/8', '::1']::inet[]"),
  ps: of("array['(1,2)', '(-0,1e300)']::point[]"),
  nm: of(`'a "b" c'`, "''"),
  c1: of("'x'", "''", String.raw`'\377'`),
  o: of('4294967295', '0'),
  vc: of("'abc'", "'   '"),
  x8: of("'18446744073709551615'"),
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
      expect(answer, `seed ${seed}`).toMatchObject({ kept: true, rows: 1000, bad: 0 })
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

test('a value that was read finds its row again, whatever its type', async () => {
  const id = await transfer.idOf('kinds')
  const listed = async (filters: object[]) => {
    const { status, body } = await meta.call('POST', `entities/${id}/rows`, { limit: 100, filters })
    expect(status, JSON.stringify([filters, body]).slice(0, 500)).toBe(200)
    return body as { columns: string[]; rows: Cell[][] }
  }
  const { columns, rows: cells } = await listed([])
  for (const [at, column] of columns.entries()) {
    const found = cells.find((cell) => typeof cell[at] === 'string')
    const value = found?.[at]
    if (typeof value !== 'string') throw new Error(`${column} has no value`)
    const key = { column: 'id', operator: '=', value: found?.[columns.indexOf('id')] }
    const quoted = `"${value.replaceAll('"', '""')}"`
    for (const filter of [
      { column, operator: '=', value },
      { column, operator: 'in', value: `${quoted},${quoted}` },
    ])
      expect((await listed([key, filter])).rows, `${column} ${value}`).toHaveLength(1)
  }
})
