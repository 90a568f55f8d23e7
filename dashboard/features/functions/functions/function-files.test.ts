import { expect, test } from 'vitest'
import { readFiles, secretsIn, slugProblem, withFiles, changedFiles } from './function-files.ts'

const text = (path: string, content: string) => ({ path, content, encoding: 'utf8' as const })

test('what is alike is left out, the rest is named by what happened to it', () => {
  const before = [text('b.ts', 'old'), text('a.ts', 'same'), text('gone.ts', 'x')]
  const after = [text('a.ts', 'same'), text('b.ts', 'new'), text('made.ts', 'y')]
  expect(changedFiles(before, after)).toEqual([
    { path: 'b.ts', change: 'changed', before: 'old', after: 'new', binary: false },
    { path: 'gone.ts', change: 'deleted', before: 'x', after: '', binary: false },
    { path: 'made.ts', change: 'added', before: '', after: 'y', binary: false },
  ])
  expect(changedFiles(after, after)).toEqual([])
})

test('bytes are not shown as text', () => {
  const bytes = { path: 'a.wasm', content: 'AAAA', encoding: 'base64' as const }
  expect(changedFiles([], [bytes])).toMatchObject([{ change: 'added', binary: true }])
})

test('text stays text, bytes become base64', async () => {
  const text = new File(['export const ä = 1\n'], 'words.ts')
  const bytes = new Uint8Array(20_000).map((_, at) => at % 256)
  const [words, image] = await readFiles([text, new File([bytes], 'a.png')])
  expect(words).toEqual({ path: 'words.ts', content: 'export const ä = 1\n', encoding: 'utf8' })
  expect(image).toMatchObject({ path: 'a.png', encoding: 'base64' })
  expect(new Uint8Array(Buffer.from(image?.content ?? '', 'base64'))).toEqual(bytes)
})

test('a file takes the place of the one of its path', () => {
  const file = (path: string, content: string) => ({ path, content, encoding: 'utf8' as const })
  const before = [file('a.ts', '1'), file('b.ts', '2')]
  expect(withFiles(before, [file('a.ts', '3')])).toEqual([file('b.ts', '2'), file('a.ts', '3')])
})

test.each([
  ['', 'There is no secret in this text'],
  ['A=1\nno', 'Line 2 is not NAME=value'],
  ['1A=1', 'Line 1 is not NAME=value'],
  ['SUPABASE_X=1', `Line 1: names that begin with SUPABASE_ are the platform's`],
])('%j is refused', (text, problem) => expect(secretsIn(text)).toEqual({ problem }))

test('names and values, as files of an environment have them', () => {
  expect(secretsIn('# mine\nA=1\n\nexport B_2 = "two = 2"\r\nC=')).toEqual({
    secrets: [
      { name: 'A', value: '1' },
      { name: 'B_2', value: 'two = 2' },
      { name: 'C', value: '' },
    ],
  })
})

test('names of functions', () => {
  expect(slugProblem('a-b_1', ['c'])).toBeUndefined()
  for (const name of ['', '1a', 'a/b', 'c']) expect(slugProblem(name, ['c']), name).toBeDefined()
})
