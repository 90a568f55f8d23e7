import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { withClient } from '#kit/postgres/client'
import { problemOf } from './check-value.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
  await withClient(db.configFor('plinth_sql'), (client) =>
    client.query("create type mood as enum ('fine', 'so,  so', '')"),
  )
})
afterAll(() => db.drop())

/** Values that are right or nearly so; the property changes them a little, and invents others. */
const seeds: Record<string, string[]> = {
  int2: ['32767', '32768', '-32768', '-32769', '0x7FFF', '1_000', '1.0', '', ' 7\t'],
  int4: ['2147483647', '2147483648', '-2147483648', '0b1111', '0o17', '0x_1', '2,000', '1e3'],
  int8: ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '+1', '00012'],
  oid: ['4294967295', '-1', '0x10', '12 '],
  float4: ['3.4028235e38', '3.4028236e38', '1e-45', '7e-46', 'inf', '-Infinity', 'nan', '0x1p3'],
  float8: [
    '1.7976931348623157e308',
    '1.7976931348623159e308',
    '5e-324',
    '2e-324',
    '.5',
    '5.',
    'NaN',
  ],
  numeric: ['1e100', '-.5', '5.', '1_000.000_1', '0xff', 'nan', '-inf', '1e1_0', '2,000.25'],
  'numeric(5,2)': [
    '999.99',
    '999.994',
    '999.995',
    '-1000',
    '0xff',
    '0x3e8',
    '9.9999e2',
    'inf',
    'nan',
    '1e-99',
  ],
  'numeric(3,5)': ['0.00999', '0.009994', '0.009995', '0.01'],
  'numeric(2,-3)': ['99499', '99500', '499', '1e5'],
  money: ['$1,234.50', '-5', '($1)', '1.5-', '', '$', 'x'],
  bool: ['t', 'tru', 'YES', 'of', 'o', '1', ' n ', 'off'],
  uuid: [
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    '{a0eebc999c0b4ef8bb6d6bb9bd380a11}',
    'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11',
  ],
  json: ['{"a": [1, null, "x\\u0041"]}', '1e5', ' true ', '"\\/"', '[]'],
  jsonb: ['{"a": [1, null, "x"]}', '-0', '"a"'],
  bytea: ['\\x00ff', '\\x 00 ff', 'a\\\\b', '\\377', '\\400', ''],
  date: [
    '2024-02-29',
    '2026-02-29',
    '2026-02-29 BC',
    'now',
    'epoch',
    'Jan 8, 1999',
    '20260101',
    'J2451187',
    '1/8/99',
    '2026-01-01 24:00:00',
    '-infinity',
    'today',
    '0000-01-01',
    '2026-001',
  ],
  time: [
    '24:00:00',
    '25:00',
    '23:59:60',
    '04:05 PM',
    '040506',
    'allballs',
    'now',
    '2026-01-01 10:00',
    'T040506',
    '13:00 AM',
  ],
  timetz: ['04:05:06-08:00', '04:05 PST', '24:00 UTC', 'now'],
  timestamp: [
    '2026-01-01 24:00:00',
    '2026-01-01 24:00:01',
    '2026-01-01T10:00',
    'infinity',
    'yesterday',
    '2026-13-01',
    '2026-02-30 10:00',
    'tomorrow 10:00',
  ],
  timestamptz: [
    '2026-01-01 10:00:00.5+05:30',
    '2026-01-01 10:00 Europe/Berlin',
    '2026-01-01 10:00Z',
    'now',
    '2026-01-01 BC',
  ],
  interval: ['1 day', '-3 mons', '@ 1 min ago', '', 'infinity'],
  'varchar(3)': ['abc', 'abcd', 'abc  ', 'ab\t  ', 'ééé', '\u{1f600}\u{1f600}\u{1f600}'],
  'bpchar(2)': ['ab', 'abc', 'ab ', ''],
  'bit(3)': ['101', 'b101', 'x7', '10', 'B1011', ''],
  'varbit(3)': ['', '1', '1011', 'x', 'x7', 'b'],
  'int4[]': ['{1,2}', '[0:1]={1,2}', ' {}', '1,2', ''],
  int2vector: ['1 2 3', ''],
  mood: ['fine', 'so,  so', ' fine', '', 'FINE'],
  inet: ['10.0.0.1', ''],
  cidr: ['10.0.0.0/8', ''],
  macaddr: ['08:00:2b:01:02:03', ''],
  point: ['(1,2)', '1,2', ''],
  line: ['{1,2,3}', ''],
  lseg: ['[(1,2),(3,4)]', ''],
  box: ['(1,2),(3,4)', ''],
  path: ['[(1,2),(3,4)]', ''],
  polygon: ['((1,2),(3,4))', ''],
  circle: ['<(1,2),3>', ''],
  text: ['', 'x'],
}

const signs = '0123456789abcdefntoxyzBEINTXZ.,_+-/:()[]{}<>"\'\\$ \t\n\u00a0é'.split('')
const words = [
  'now',
  'inf',
  'nan',
  'e5',
  '0x',
  '00',
  '99',
  '-02-30',
  ' BC',
  ' AM',
  '  ',
  '\u{1f600}',
]
const piece = fc.constantFrom(...signs, ...words)
/** One of the seeds with a few pieces put in or taken out, or pieces alone. */
const textsOf = (known: string[]) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...known),
          fc.array(fc.tuple(fc.nat(40), fc.nat(2), piece), { maxLength: 3 }),
        )
        .map(([seed, changes]) =>
          changes.reduce((text, [at, drop, put]) => {
            const place = at % (text.length + 1)
            return text.slice(0, place) + put + text.slice(place + drop)
          }, seed),
        ),
    },
    { weight: 1, arbitrary: fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')) },
    { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String) },
    { weight: 1, arbitrary: fc.double().map(String) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }), fc.integer({ min: -8, max: 8 }))
        .map(([n, e]) => `${n}e${e}`),
    },
  )

const called: Record<string, string> = { 'bpchar(2)': 'char(2)' }

/** As the check gets a column of this type. */
const typeOf = (type: string) => ({
  format: type.endsWith('[]') ? `_${type.slice(0, -2)}` : type.replace(/\(.*/, ''),
  type,
  isList: type.endsWith('[]') || type === 'int2vector',
  choices: type === 'mood' ? ['fine', 'so,  so', ''] : [],
})

/** Which of the texts Postgres takes when they are written into a column of the type. */
const takenBy = (type: string, texts: string[]) =>
  withClient(db.configFor('plinth_sql'), async (client) => {
    await client.query('begin')
    await client.query(`create temp table tried (value ${called[type] ?? type}) on commit drop`)
    await client.query(`
      create function pg_temp.taken(texts text[]) returns text[] language plpgsql as $$
      declare one text; taken text[] := '{}';
      begin
        foreach one in array texts loop
          begin
            execute 'insert into tried values (' || quote_literal(one) || ')';
            taken := taken || one;
          exception when others then null;
          end;
        end loop;
        return taken;
      end $$`)
    const { rows } = await client.query<{ taken: string[] }>('select pg_temp.taken($1) as taken', [
      texts,
    ])
    await client.query('rollback')
    return rows[0]?.taken ?? []
  })

test.each(Object.keys(seeds))(
  'what is refused for %s is refused by Postgres, too',
  async (type) => {
    const known = seeds[type] ?? []
    const texts = [...known, ...fc.sample(textsOf(known), 1500)]
    const isRefused = (text: string) => problemOf(typeOf(type), text) !== undefined
    const [refused, left] = [texts.filter(isRefused), known.filter((text) => !isRefused(text))]
    expect(await takenBy(type, [...new Set(refused)])).toEqual([])
    // The question is put as it should be: what is right is taken.
    expect(await takenBy(type, left)).not.toEqual([])
  },
)
