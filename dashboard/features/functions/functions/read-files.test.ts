import { expect, test } from 'vitest'
import { readFiles, withFiles } from './read-files.ts'

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
