import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientCopy } from './sql-copy.ts'
import { splitScript } from './sql-script.ts'

/** Each item in short: its text, and its data if it has some. */
const short = (sql: string) =>
  splitScript(sql).map(({ text, data, meta }) => {
    if (meta) return [`\\${meta.name}`, meta.rest]
    return data ? [text, sql.slice(data.start, data.end)] : text
  })

test.each<[string, string, unknown[]]>([
  [
    'a command of psql',
    'select 1;\n  \\dt public.*  \nselect 2',
    ['select 1', ['\\dt', 'public.*'], 'select 2'],
  ],
  ['a command with a semicolon', '\\d books;\n', [['\\d', 'books']]],
  [
    'a command behind a statement',
    'select 1; \\x\nselect 2',
    ['select 1', ['\\x', ''], 'select 2'],
  ],
  ['a command behind comments', '-- a\n/* b */ \\dn', [['\\dn', '']]],
  ['a shell command', '\\! rm -rf /', [['\\!', 'rm -rf /']]],
  [
    'what sends a statement',
    'select 1 \\g\nselect 2\n\\gx\nselect 3',
    ['select 1', 'select 2', 'select 3'],
  ],
  ['a backslash in an operator', 'select 1 \\ 2; select 3', ['select 1 \\ 2', 'select 3']],
  [
    'a backslash in a string',
    'select \'\\d\'; select "\\d"; select $$\n\\d\n$$',
    ["select '\\d'", 'select "\\d"', 'select $$\n\\d\n$$'],
  ],
  [
    'data',
    "copy t from stdin;\n1\t;\n'2\n\\.\nselect 1",
    [['copy t from stdin', "1\t;\n'2\n"], 'select 1'],
  ],
  ['no rows of data', 'copy t from stdin;\n\\.\nselect 1', [['copy t from stdin', ''], 'select 1']],
  [
    'data of Windows',
    'COPY t (a, b) FROM STDIN WITH CSV;\r\n1,2\r\n\\.\r\nselect 1',
    [['COPY t (a, b) FROM STDIN WITH CSV', '1,2\r\n'], 'select 1'],
  ],
  ['data without an end', 'copy t from stdin;\nselect 1', ['copy t from stdin', 'select 1']],
  [
    'more on the line',
    'copy t from stdin; select 1;\n1\n\\.',
    ['copy t from stdin', 'select 1', '1\n\\.'],
  ],
  [
    'a file of the server',
    "copy t from '/x'; select 1;\n\\.\n",
    ["copy t from '/x'", 'select 1', ['\\.', '']],
  ],
  [
    'data of \\copy',
    '\\copy t from stdin csv\n1\n\\.\nselect 1',
    [['\\copy', 't from stdin csv'], 'select 1'],
  ],
])('%s', (_, sql, expected) => {
  expect(short(sql)).toEqual(expected)
})

test('a string with escapes goes on below', () => {
  expect(short("select e'a'\n  'b\\'; c'; select 2")).toEqual([
    "select e'a'\n  'b\\'; c'",
    'select 2',
  ])
})

test('a column called begin opens nothing', () => {
  const sql = 'create function f() returns int return (select begin from t); select 2'
  expect(short(sql)).toHaveLength(2)
})

test('rows on their side are asked for by \\gx', () => {
  expect(splitScript('select 1 \\gx\nselect 2').map(({ isExpanded }) => isExpanded)).toEqual([
    true,
    undefined,
  ])
})

test.each<[string, ReturnType<typeof clientCopy>]>([
  [
    "books from 'my ''books''.csv' with (format csv)",
    { direction: 'from', file: "my 'books'.csv", sql: 'copy books from stdin with (format csv)' },
  ],
  [
    'books (a, "from") to out.csv csv header',
    { direction: 'to', file: 'out.csv', sql: 'copy books (a, "from") to stdout csv header' },
  ],
  [
    "(select 'a to b' from t) to stdout",
    { direction: 'to', file: undefined, sql: "copy (select 'a to b' from t) to stdout" },
  ],
  ['books from pstdin', { direction: 'from', file: undefined, sql: 'copy books from stdin' }],
  ["books from program 'ls'", undefined],
  ['books', undefined],
  ['from x', undefined],
])('\\copy %s', (rest, expected) => {
  expect(clientCopy(rest)).toEqual(expected)
})

/** Statements, and what may stand between them. */
const statement = fc.constantFrom(
  'select 1',
  "select ';'",
  'select ";"',
  'do $a$ begin; $$;$$ end $a$',
  "select e'\\';'",
  '(select 1)',
  'create function f() returns int begin atomic select case when true then 1 end; end',
  'select $1',
)
const between = fc.constantFrom(';', ';\n', '; -- x; y\n', '; /* ; /* ; */ ; */ ', ';\r\n\r\n')
const written = fc.array(fc.tuple(statement, between), { maxLength: 8 })

test('whatever stands between them, statements are found as they were written', () => {
  fc.assert(
    fc.property(written, (parts) => {
      const sql = parts.map(([text, end]) => text + end).join('')
      expect(splitScript(sql).map(({ text }) => text)).toEqual(parts.map(([text]) => text))
    }),
  )
})

test('any text is split into pieces of itself, each once, in order', () => {
  const letter = fc.constantFrom(
    ...'\\;\n\'"$aE()-/* .'.split(''),
    'copy t from stdin;\n',
    '\n\\.\n',
    '\\d ',
  )
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 60 }), (letters) => {
      const sql = letters.join('')
      let last = 0
      for (const { text, start, end, data, line } of splitScript(sql)) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(sql.slice(start, end)).toBe(text)
        expect(line).toBe(sql.slice(0, start).split('\n').length)
        if (data) expect(data.start).toBeGreaterThanOrEqual(end)
        last = data?.end ?? end
      }
    }),
    { numRuns: 2000 },
  )
})
