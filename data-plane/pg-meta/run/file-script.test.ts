import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitScript } from '#contract/database/sql/sql-script'
import { fileItems } from './file-script.ts'

async function* piecesOf(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  let at = 0
  for (const length of lengths) {
    yield text.slice(at, at + length)
    at += length
  }
  yield text.slice(at)
}

type Read = { text: string; line: number; start: number; data: string | undefined }

async function readAll(items: ReturnType<typeof fileItems>): Promise<Read[]> {
  const all: Read[] = []
  for await (const { text, line, start, copyIn } of items) {
    let data: string | undefined
    if (copyIn) {
      data = ''
      for await (const piece of copyIn) data += piece
    }
    all.push({ text, line, start, data })
  }
  return all
}

const part = fc.constantFrom(
  'select 1;\n',
  "select ';\n'",
  'do $x$\n;\n$x$;',
  '-- a; b\n',
  '/* ; */',
  '\\restrict x\n',
  '\n\n',
  ' ;',
  'copy t from stdin;\n1\t2\n\\\\.\n\n\\.\n',
  'copy t from stdin;\n\\.\n',
  '\\connect x\n',
  'é😀;',
)

test('a file in pieces of any size is the same script as the whole text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 }),
      async (parts, lengths) => {
        const text = parts.join('')
        const whole = splitScript(text).map(({ text: one, line, start, data }) => ({
          text: one,
          line,
          start,
          data: data && text.slice(data.start, data.end),
        }))
        expect(await readAll(fileItems(piecesOf(text, lengths)))).toEqual(whole)
      },
    ),
    { numRuns: 1000 },
  )
})

test('data that are not read, and data without an end', async () => {
  const text = 'copy t from stdin;\n1\n2\n\\.\nselect 1;\ncopy t from stdin;\n3\n4'
  const seen: string[] = []
  for await (const { text: one } of fileItems(piecesOf(text, [25, 3]))) seen.push(one)
  expect(seen).toEqual(['copy t from stdin', 'select 1', 'copy t from stdin'])
  const read = await readAll(fileItems(piecesOf(text, [25, 3])))
  expect(read.map(({ data }) => data)).toEqual(['1\n2\n', undefined, '3\n4'])
})

test('a file that breaks off ends in a refusal, without what was begun', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'select 1; drop ta'
    throw new Error('The file is incomplete')
  }
  const items = []
  for await (const { text, refused } of fileItems(broken())) items.push([text, refused?.code])
  expect(items).toEqual([
    ['select 1', undefined],
    ['', '08000'],
  ])
})

test('a statement without an end is refused before it fills the memory', async () => {
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield "select 'x".repeat(100)
  }
  const items = []
  for await (const { refused } of fileItems(endless(), 10_000)) items.push(refused?.code)
  expect(items.at(-1)).toBe('54000')
})
