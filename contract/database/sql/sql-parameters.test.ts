import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'libpg-query'
import { bindNames, parameterNames } from './sql-parameters.ts'

test.each<[string, string, string[]]>([
  ['a name', 'select :a', ['a']],
  ['the same name twice', 'select :a, :b, :a', ['a', 'b']],
  ['a name before a cast', 'select :a::int', ['a']],
  ['a unicode name', 'select :größe', ['größe']],
  ['names in a list', 'select array[:a, :b]', ['a', 'b']],
  ['a name inside CASE inside brackets', 'select x[case when :a then :b else 1 end]', ['a', 'b']],
  ['a cast', 'select a::int, b :: text', []],
  ['a slice', 'select a[1:n], a[lo:hi], (a)[f(1):n]', []],
  ['an argument by name', 'select make_date(year := 1, month => 2)', []],
  ['a string', "select ':a', e'\\':a', 'it''s :a'", []],
  ['a quoted name', 'select ":a"', []],
  ['a dollar quote', 'do $x$ select :a $x$', []],
  ['comments', 'select 1 -- :a\n/* :b /* :c */ */', []],
  ['a time', "select '12:30'::time", []],
  ['a colon alone', 'select : a', []],
])('%s', (_, sql, names) => {
  expect(parameterNames(sql)).toEqual(names)
})

test('numbers take the places of names, and everything else stays where it is', () => {
  const sql = 'select :first, :b, :first from t where x = :unknown'
  const { text, names } = bindNames(sql, new Set(['first', 'b']))
  expect(names).toEqual(['first', 'b'])
  expect(text).toBe('select $1    , $2, $1     from t where x = :unknown')
  expect(text).toHaveLength(sql.length)
})

const word = fc.constantFrom('a', 'name', 'größe', 'x_1', 'select_it', '名前')
const piece = fc.oneof(
  word.map((name) => ({ sql: `:${name}`, name })),
  fc
    .string()
    .map((text) => ({ sql: `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`, name: '' })),
  fc.string().map((text) => ({
    sql: `"x${text.replaceAll('\0', '').replaceAll('"', '""')}"`,
    name: '',
  })),
  word.map((name) => ({ sql: `/* :${name} */ 1`, name: '' })),
  word.map((name) => ({ sql: `1 -- :${name}\n`, name: '' })),
  word.map((name) => ({ sql: `$q$ :${name} $q$`, name: '' })),
  word.map((name) => ({ sql: `:${name}::text`, name })),
  fc.constant({ sql: 'a[1:b]', name: '' }),
)

test('whatever stands around them, what is bound is SQL with exactly these parameters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
      const sql = `select ${pieces.map((one) => one.sql).join(', ')}`
      const names = [...new Set(pieces.map(({ name }) => name).filter(Boolean))]
      expect(parameterNames(sql)).toEqual(names)
      const { text } = bindNames(sql, new Set(names))
      const tree = JSON.stringify(await parse(text))
      const numbers = [...tree.matchAll(/"ParamRef":\{"number":(\d+)/g)].map(([, n]) => Number(n))
      expect(numbers).toHaveLength(pieces.filter(({ name }) => name).length)
      expect(Math.max(0, ...numbers)).toBe(names.length)
    }),
    { numRuns: 1000 },
  )
})
