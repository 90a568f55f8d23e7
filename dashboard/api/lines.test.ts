import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

const streamOf = (pieces: Uint8Array[], onCancel = () => {}) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
    cancel: onCancel,
  })

async function read(stream: ReadableStream<Uint8Array>) {
  const lines: string[] = []
  for await (const line of linesOf(stream)) lines.push(line)
  return lines
}

test('lines come out whole, wherever the pieces are cut', async () => {
  const line = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\n'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1 }),
      fc.array(fc.nat()),
      fc.boolean(),
      async (lines, cuts, lastEnds) => {
        const bytes = new TextEncoder().encode(lines.join('\n') + (lastEnds ? '\n' : ''))
        const at = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
          (a, b) => a - b,
        )
        const pieces = at.map((end, i) => bytes.slice(at[i - 1] ?? 0, end))
        expect(await read(streamOf(pieces))).toEqual(lines)
      },
    ),
  )
})

test('who stops listening ends the request', async () => {
  let cancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"a":1}\n')),
    cancel: () => {
      cancelled = true
    },
  })
  for await (const line of linesOf(endless)) {
    expect(line).toBe('{"a":1}')
    break
  }
  expect(cancelled).toBe(true)
})
