import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResultCell, ResultField } from '#contract/database/sql/sql-query'
import { cutCells, toCsv, toJson, toMarkdown } from './result-export.ts'

const fieldsOf = (...columns: [name: string, type: string][]): ResultField[] =>
  columns.map(([name, type]) => ({ name, type, type_id: 0, table_id: 0, column: 0 }))

/** An independent reader of what RFC 4180 says. */
function readCsv(csv: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  let row: (string | null)[] = []
  while (cell.lastIndex < csv.length) {
    const match = cell.exec(csv)
    if (!match) throw new Error('not CSV')
    row.push(match[1]?.replaceAll('""', '"') ?? (match[2] || null))
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('CSV reads back as what it was, NULL and the empty string apart', async () => {
  const cell = fc.option(fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r', 'é') }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell)), async (rows) => {
      const csv = await toCsv({ fields: fieldsOf(['a', 'text'], ['b', 'text']), rows })
      expect(readCsv(csv)).toEqual([['a', 'b'], ...rows])
    }),
  )
})

test('JSON keeps every digit, booleans and documents, and both of two equal names', () => {
  const fields = fieldsOf(['n', 'int8'], ['n', 'numeric'], ['ok', 'bool'], ['doc', 'jsonb'])
  const rows: ResultCell[][] = [
    ['9007199254740993', 'NaN', 't', '{"a": [1]}'],
    [null, '1.50', 'f', null],
  ]
  const json = toJson({ fields, rows })
  expect(json).toContain('"n":9007199254740993')
  expect(JSON.parse(json)).toEqual([
    { n: Number('9007199254740993'), n_2: 'NaN', ok: true, doc: { a: [1] } },
    { n: null, n_2: 1.5, ok: false, doc: null },
  ])
  expect(toJson({ fields, rows: [] })).toBe('[]\n')
})

test('any text survives JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const rows = texts.map((text) => [text])
      expect(JSON.parse(toJson({ fields: fieldsOf(['x', 'text']), rows }))).toEqual(
        texts.map((x) => ({ x })),
      )
    }),
  )
})

test('Markdown keeps one row a line', () => {
  const fields = fieldsOf(['a|b', 'text'], ['n', 'int4'])
  expect(toMarkdown({ fields, rows: [['x\ny|z', null]] })).toBe(
    '| a\\|b | n |\n| --- | ---: |\n| x<br>y\\|z | NULL |\n',
  )
})

test('heads of long cells are exported and counted', () => {
  const result = {
    fields: fieldsOf(['a', 'jsonb'], ['b', 'text']),
    rows: [[{ head: '{"cut', bytes: 99 }, 'x']],
  }
  expect(cutCells(result)).toBe(1)
  expect(JSON.parse(toJson(result))).toEqual([{ a: '{"cut', b: 'x' }])
})
