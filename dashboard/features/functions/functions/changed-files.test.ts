import { expect, test } from 'vitest'
import { changedFiles } from './changed-files.ts'

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
