import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLines } from './row-import-csv.ts'

type How = { delimiter: string; header: boolean; kept: boolean[]; emptyIsNull: boolean }

/** Cut into pieces of so many bytes. */
async function lines(text: string, how: How, size = 7, longestRow = 1e6) {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const bad: number[] = []
  const found: Buffer[] = []
  const onRow = (values: number) => {
    const fits = values === how.kept.length
    if (!fits) bad.push(values)
    return fits
  }
  await pipeline(Readable.from(pieces), csvLines({ ...how, onRow, longestRow }), async (out) => {
    for await (const piece of out) found.push(piece as Buffer)
  })
  return { text: Buffer.concat(found).toString(), bad }
}
/** One row of COPY's text format. NULL and empty text are told apart. */
const copyLine = (values: readonly (string | null)[]) =>
  `${values.map((value) => (value === null ? String.raw`\N` : escapeCopy(value))).join('\t')}\n`

const special = /[\\\n\r\t]/g
const signs: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escapeCopy = (text: string) => text.replace(special, (sign) => signs[sign] ?? sign)

const two = { delimiter: ',', header: false, kept: [true, true], emptyIsNull: true }

/** What another reader makes of it; it throws where a quote is not closed. */
function expected(text: string, { delimiter, header, kept, emptyIsNull }: How) {
  const records = parse(text, {
    delimiter,
    bom: true,
    from: header ? 2 : 1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: kept.length > 1,
    cast: (value, { quoting }) => (value === '' && !quoting && emptyIsNull ? null : value),
  }) as (string | null)[][]
  const fits = records.filter(({ length }) => length === kept.length)
  return {
    text: fits.map((record) => copyLine(record.filter((_, at) => kept[at]))).join(''),
    bad: records.map(({ length }) => length).filter((length) => length !== kept.length),
  }
}

const how = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  header: fc.boolean(),
  kept: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  emptyIsNull: fc.boolean(),
})
const textOf = (delimiter: string) =>
  fc.constantFrom('\n', '\r\n', '\r').chain((end) =>
    fc
      .array(
        fc.constantFrom('a', 'é', '🙂', '"', '""', '\\', '\\N', delimiter, delimiter, end, end),
        {
          maxLength: 25,
        },
      )
      .map((parts) => parts.join('')),
  )

test('a file is read as another reader reads it, however it is cut', async () => {
  const given = how.chain((one) => fc.tuple(fc.constant(one), textOf(one.delimiter), fc.boolean()))
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 9 }), async ([one, body, mark], size) => {
      const text = (mark ? '\uFEFF' : '') + body
      let rows: ReturnType<typeof expected> | undefined
      try {
        rows = expected(text, one)
      } catch {
        await expect(lines(text, one, size)).rejects.toThrow('a quote is never closed')
        return
      }
      expect(await lines(text, one, size)).toEqual(rows)
    }),
    { numRuns: 1000 },
  )
})

test('ends of rows may be mixed, and a lone CR is a sign where rows end otherwise', async () => {
  expect(await lines('a,b\r\nc,d\ne\r,"f\r"\r\n', two)).toEqual({
    text: 'a\tb\nc\td\ne\\r\tf\\r\n',
    bad: [],
  })
  expect((await lines('a,b\rc,d\r', two)).text).toBe('a\tb\nc\td\n')
  expect((await lines('a,b\nc,"d"\r', two)).text).toBe('a\tb\nc\t"d"\\r\n')
})

test('a quote that is never closed does not gather the file in memory', async () => {
  const text = `a,"${'x'.repeat(5000)}`
  await expect(lines(text, two, 100, 1000)).rejects.toThrow('longer than any')
})
