import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { passOn } from './pass-on.ts'
import { keepOutput } from './program-logs.ts'

function kept(pieces: readonly (string | Buffer)[]) {
  const lines: string[] = []
  const output = keepOutput('data-plane', { write: (line) => void lines.push(line) }, () => 17)
  for (const piece of pieces) output.write(Buffer.from(piece))
  output.end()
  return lines.map((line): unknown => JSON.parse(line))
}

test('entries are kept as they are, however they are cut into pieces', () => {
  const entry = JSON.stringify({ level: 40, time: 1, program: 'data-plane', msg: 'schön' })
  const bytes = Buffer.from(`${entry}\n${entry}\n`)
  const pieces = Array.from(bytes, (byte) => Buffer.from([byte]))
  expect(kept(pieces)).toEqual([JSON.parse(entry), JSON.parse(entry)])
})

test('what is no entry, such as the trace of a crash, is one of level error', () => {
  expect(kept(['TypeError: x is undefined\n    at y\n', '{ half'])).toEqual([
    { level: 50, time: 17, program: 'data-plane', msg: 'TypeError: x is undefined' },
    { level: 50, time: 17, program: 'data-plane', msg: '    at y' },
    { level: 50, time: 17, program: 'data-plane', msg: '{ half' },
  ])
})

test('a line without an end is cut', () => {
  const [first, second] = kept(['x'.repeat(200_000)]) as { msg: string }[]
  expect(first?.msg.length).toBe(64 * 1024)
  expect(second).toBeUndefined()
})

test.each([
  'connect postgres://plinth:swordfish@127.0.0.1:5432/postgres failed\n',
  'Error: password=swordfish is wrong\n',
  `${JSON.stringify({ level: 50, time: 1, err: { message: 'at postgres://a:swordfish@b/c' } })}\n`,
  `${JSON.stringify({ level: 50, time: 1, list: ['access_token=swordfish'], none: null })}\n`,
])('no secret of %s is kept', (text) => {
  const said = JSON.stringify(kept([text]))
  expect(said).toContain('[redacted]')
  expect(said).not.toContain('swordfish')
})

test('what a program says goes on at the pace of its reader, and is seen once', async () => {
  const from = new PassThrough()
  const read: string[] = []
  let take = () => {}
  const slow = new Writable({
    highWaterMark: 1,
    write(piece, _, done) {
      read.push(String(piece))
      take = done
    },
  })
  const seen: string[] = []
  passOn(from, slow, (piece) => seen.push(String(piece)))
  from.write('one')
  await expect.poll(() => read).toEqual(['one'])
  expect(from.isPaused()).toBe(true)
  take()
  from.write('two')
  await expect.poll(() => read).toEqual(['one', 'two'])
  expect(seen).toEqual(['one', 'two'])
})

test('a reader that has gone does not hold the program up', async () => {
  const from = new PassThrough()
  const gone = new Writable({ highWaterMark: 1, write: () => undefined })
  gone.on('error', () => undefined)
  const seen: string[] = []
  passOn(from, gone, (piece) => seen.push(String(piece)))
  from.write('one')
  await expect.poll(() => from.isPaused()).toBe(true)
  gone.destroy(new Error('EPIPE'))
  from.write('two')
  await expect.poll(() => seen).toEqual(['one', 'two'])
})
