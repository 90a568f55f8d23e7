import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LibraryError, LibraryThread, ThreadRefusal } from './library-thread.ts'

const options = { longest: 30_000, maxResult: 100_000, idle: 60_000 }
const parser = new LibraryThread({ library: 'libpg-query', ...options })
const shortTimeout = new LibraryThread({ library: 'libpg-query', ...options, longest: 1 })
const threads = [parser, shortTimeout]
afterAll(() => threads.forEach((thread) => thread.end()))

const parse = (text: string) => parser.call('parse', text)

test('calls are answered in their order, each with its own result', async () => {
  const texts = ['select 1; select 2', 'select 1', '-- nothing']
  const results = (await Promise.all(texts.map(parse))) as { stmts?: unknown[] }[]
  expect(results.map(({ stmts }) => stmts?.length)).toEqual([2, 1, 0])
})

test('what the library throws comes with what it put on it', async () => {
  const refused = await parse('selec').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(LibraryError)
  expect(refused).toMatchObject({
    message: 'syntax error at or near "selec"',
    details: { sqlDetails: { cursorPosition: 0 } },
  })
})

test('a stack that ran over, and too large a result, are refused; what waits behind them is not', async () => {
  const [sum, large, small] = await Promise.allSettled([
    parse(`select ${'1+'.repeat(500_000)}1`),
    parse(`select ${'1,'.repeat(10_000)}1`),
    parse('select 1'),
  ])
  expect(sum).toMatchObject({ status: 'rejected', reason: expect.any(ThreadRefusal) })
  expect(large).toMatchObject({ status: 'rejected', reason: expect.any(ThreadRefusal) })
  expect(small).toMatchObject({ status: 'fulfilled' })
})

test('a call that takes too long is ended', async () => {
  const text = '/*'.repeat(200_000)
  await expect(shortTimeout.call('parse', text)).rejects.toThrow('libpg-query takes too long')
})

test("the time to load a library, and to look at an answer that has come, is no call's own", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-library-'))
  const library = join(folder, 'slow.mjs')
  await writeFile(
    library,
    'await new Promise((done) => setTimeout(done, 400))\nexport const twice = (n) => 2 * n\n',
  )
  const thread = new LibraryThread({ library, ...options, longest: 200 })
  try {
    expect(await thread.call('twice', 1)).toBe(2)
    const answer = thread.call('twice', 2)
    const end = Date.now() + 600
    while (Date.now() < end);
    expect(await answer).toBe(4)
  } finally {
    thread.end()
    await rm(folder, { recursive: true })
  }
})
