import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellHeadLength } from '#contract/database/rows/table-rows'
import { createRowFilter } from './data-rows.ts'

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const message = (type: string, body: Buffer) =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
const row = (cells: (string | null)[]) => {
  const parts = cells.map((cell) => {
    if (cell === null) return int32(-1)
    const text = Buffer.from(cell)
    return Buffer.concat([int32(text.length), text])
  })
  return message(
    'D',
    Buffer.concat([Buffer.from([cells.length >> 8, cells.length & 255]), ...parts]),
  )
}

function filter(pieces: Buffer[]) {
  const rows: unknown[] = []
  const passed: Buffer[] = []
  const read = createRowFilter(
    (cells) => rows.push(cells),
    (bytes) => passed.push(Buffer.from(bytes)),
  )
  for (const piece of pieces) read(piece)
  return { rows, passed: Buffer.concat(passed) }
}

const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )

test('rows come out and everything else goes through, however the bytes are cut', () => {
  const cells = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 5 })
  const other = fc.uint8Array({ maxLength: 20 }).map((body) => Buffer.from(body))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cells, other), { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (parts, size) => {
        const others = parts.map(([, body]) => message('C', body))
        const bytes = Buffer.concat(
          parts.flatMap(([values], i) => [row(values), others[i] ?? Buffer.of()]),
        )
        const { rows, passed } = filter(cut(bytes, size))
        expect(rows).toEqual(parts.map(([values]) => values))
        expect(passed).toEqual(Buffer.concat(others))
      },
    ),
  )
})

test.each([7, 1000, 65_536, 10_000_000])(
  'a row with huge values keeps their heads (pieces of %i)',
  (size) => {
    const huge = '€'.repeat(700_000)
    const { rows } = filter(
      cut(Buffer.concat([row(['a', huge, null, '', 'z'.repeat(300_000)]), row(['b'])]), size),
    )
    expect(rows).toEqual([
      [
        'a',
        { head: '€'.repeat(cellHeadLength), bytes: 2_100_000 },
        null,
        '',
        { head: 'z'.repeat(cellHeadLength), bytes: 300_000 },
      ],
      ['b'],
    ])
  },
)

test('a value at the limit stays whole, and a head never ends in half a character', () => {
  const whole = 'x'.repeat(cellHeadLength)
  const split = `${'x'.repeat(cellHeadLength - 1)}😀`
  const { rows } = filter([row([whole, split])])
  expect(rows).toEqual([
    [whole, { head: 'x'.repeat(cellHeadLength - 1), bytes: cellHeadLength + 3 }],
  ])
})
