import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/root'
import { commands } from './manage-commands.ts'

test('help names every command', () => {
  const { status, stderr } = spawnSync(process.execPath, [
    join(root, 'start/plinth.mjs'),
    'nothing',
  ])
  expect(status).toBe(2)
  const shown = stderr.toString().matchAll(/^ {2}(\w+) {2,}/gm)
  const firsts = Object.keys(commands).map((name) => name.split(' ')[0])
  expect([...shown].map(([, name]) => name)).toEqual(expect.arrayContaining(firsts))
})
