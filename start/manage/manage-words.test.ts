import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/root'
import { words } from './manage-words.ts'

test('every word that is understood can be said, and is told of', () => {
  const { status, stderr } = spawnSync(process.execPath, [
    join(root, 'start/plinth.mjs'),
    'nothing',
  ])
  expect(status).toBe(2)
  const shown = stderr.toString().matchAll(/^ {2}plinth (\w+)/gm)
  const firsts = Object.keys(words).map((word) => word.split(' ')[0])
  expect([...shown].map(([, word]) => word)).toEqual(expect.arrayContaining(firsts))
})
