import { expect, test } from 'vitest'
import { copiedName, namedFile, problemOf, wantsFile, withData } from './sql-file.ts'

test('only text is run, and a dump in another format says what to do', async () => {
  expect(await problemOf(new Blob([]))).toMatch(/empty/)
  expect(await problemOf(new Blob(['PGDMP\u0001\u000e']))).toMatch(/pg_restore/)
  expect(await problemOf(new Blob(['a\0b']))).toMatch(/not text/)
  expect(await problemOf(new Blob(['select 1']))).toBeUndefined()
})

test.each<[string, string | undefined, string | undefined]>([
  ['select 1', undefined, undefined],
  ['copy t from stdin;\n1\n\\.\n', undefined, undefined],
  ['select 1; copy t from stdin;', 'copy t from stdin', undefined],
  [
    "\\copy t from '/tmp/My file.csv' csv",
    "\\copy t from '/tmp/My file.csv' csv",
    '/tmp/My file.csv',
  ],
])('%s wants a file: %s', (sql, text, name) => {
  const item = wantsFile(sql)
  expect(item?.text).toBe(text)
  expect(item && namedFile(item)).toBe(name)
})

test.each(['1\n2', '1\n2\n'])(
  'a chosen file becomes the data of its statement: %j',
  async (data) => {
    const sql = "select 1;\n\\copy t from 'x.csv' csv\nselect 2"
    const item = wantsFile(sql)
    expect(item && (await (await withData(sql, item, new Blob([data]))).text())).toBe(
      'select 1;\ncopy t from stdin csv;\n1\n2\n\\.\n\nselect 2',
    )
  },
)

test('a copy is saved under its own name, without folders', () => {
  expect(copiedName("\\copy (select 1) to '/home/ada/out.csv' csv")).toBe('out.csv')
  expect(copiedName('\\copy t to stdout')).toBeUndefined()
  expect(copiedName('copy t to stdout')).toBeUndefined()
})
