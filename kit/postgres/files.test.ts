import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readForeign, writeDurably } from './files.ts'

let outer: string
let folder: string
let victim: string
beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), 'plinth-files-'))
})
beforeEach(() => {
  folder = mkdtempSync(join(outer, 'of-a-tenant-'))
  victim = join(outer, 'victim')
  writeFileSync(victim, 'precious', { mode: 0o640 })
})
afterAll(() => rmSync(outer, { recursive: true }))

test('a file is replaced; its owner alone may read it', async () => {
  const file = join(folder, 'rules')
  expect(await readForeign(file)).toBeUndefined()
  await writeDurably(file, 'one')
  await writeDurably(file, 'two')
  expect(await readForeign(file)).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each(['rules', 'rules.new'])('a link that lies at %s leads nowhere', async (name) => {
  symlinkSync(victim, join(folder, name))
  await writeDurably(join(folder, 'rules'), 'mine')
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(statSync(victim).mode & 0o777).toBe(0o640)
  expect((await lstat(join(folder, 'rules'))).isFile()).toBe(true)
  expect(await readForeign(join(folder, 'rules'))).toBe('mine')
})

test('what an attempt left that was killed does not stop the next', async () => {
  writeFileSync(join(folder, 'rules.new'), 'half')
  await writeDurably(join(folder, 'rules'), 'whole')
  expect(await readForeign(join(folder, 'rules'))).toBe('whole')
  await expect(lstat(join(folder, 'rules.new'))).rejects.toThrow(/ENOENT/)
})

test('a link is not read, a pipe is not waited for, and nothing without end is read', async () => {
  symlinkSync(victim, join(folder, 'link'))
  await expect(readForeign(join(folder, 'link'))).rejects.toThrow(/ELOOP/)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  await expect(readForeign(join(folder, 'pipe'))).rejects.toThrow(/is no file/)
  writeFileSync(join(folder, 'large'), Buffer.alloc(1024 * 1024 + 1))
  await expect(readForeign(join(folder, 'large'))).rejects.toThrow(/too large/)
})
