import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { logFilePath, logFilesIn, openLogFiles } from './log-files.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'plinth-log-files-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return join(made, 'logs')
}
const complaints: string[] = []
const opened = (of: string, limits = { files: 3, bytes: 100 }) => {
  const files = openLogFiles({ folder: of, limits, complain: (line) => complaints.push(line) })
  onTestFinished(() => files.close())
  return files
}

test('only so many files of so many bytes are kept, for this user alone', async () => {
  const logs = await folder()
  expect(logFilesIn(logs)).toEqual([])
  const files = opened(logs)
  for (let i = 0; i < 100; i += 1) files.write(`line ${i}`.padEnd(19, '.'))
  const kept = logFilesIn(logs)
  expect(kept).toHaveLength(3)
  // 100 lines of 20 bytes are 20 files.
  expect(kept.at(-1)).toBe(20)
  expect((await stat(logs)).mode & 0o777).toBe(0o700)
  expect((await stat(logFilePath(logs, 20))).mode & 0o777).toBe(0o600)
  expect(await readFile(logFilePath(logs, 20), 'utf8')).toContain('line 99')
})

test('a start goes on where the last one was, behind a line that was cut off', async () => {
  const logs = await folder()
  const first = opened(logs, { files: 3, bytes: 1000 })
  first.write('whole')
  first.close()
  await appendFile(logFilePath(logs, 1), 'cut o')
  opened(logs, { files: 3, bytes: 1000 }).write('next')
  expect(await readFile(logFilePath(logs, 1), 'utf8')).toBe('whole\ncut o\nnext\n')
  await writeFile(join(logs, 'notes.txt'), 'of somebody else')
  expect(logFilesIn(logs)).toEqual([1])
})

test('a folder that is a file is told of once, and nothing is thrown', async () => {
  const logs = await folder()
  await writeFile(logs, '')
  complaints.length = 0
  const files = opened(logs)
  files.write('lost')
  files.write('lost')
  expect(complaints).toHaveLength(1)
  await rm(logs)
  files.write('kept')
  expect(await readFile(logFilePath(logs, 1), 'utf8')).toBe('kept\n')
})
