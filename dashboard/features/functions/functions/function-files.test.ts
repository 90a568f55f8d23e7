import { expect, test } from 'vitest'
import { readFiles, withFiles, changedFiles } from './function-files.ts'

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
