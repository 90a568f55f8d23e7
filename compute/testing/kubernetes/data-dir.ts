import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** tar says 1 where a file has changed while it was read, which the WAL makes good. */
async function tar(...words: string[]): Promise<void> {
  try {
    await run('tar', words, { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } })
  } catch (error) {
    const code = error instanceof Object && 'code' in error ? error.code : undefined
    if (code !== 1) throw error
  }
}

/** The files of a server that runs, and what it says about them when they have been read. `scratch` is emptied and removed. */
export async function copyDataDir(
  dataDir: string,
  scratch: string,
  stop: () => Promise<string>,
): Promise<Buffer> {
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch)
  const file = join(scratch, 'data.tar')
  const left = ['pg_wal/*', 'postmaster.pid', 'postmaster.opts', 'pg_replslot/*', 'recovery.signal']
  const excluded = left.map((name) => `--exclude=./${name}`)
  await tar('--create', `--file=${file}`, `--directory=${dataDir}`, ...excluded, '.')
  await writeFile(join(scratch, 'backup_label'), await stop())
  await tar('--append', `--file=${file}`, `--directory=${scratch}`, './backup_label')
  const content = await readFile(file)
  await rm(scratch, { recursive: true })
  return content
}

export async function unpackDataDir(content: Buffer, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dirname(dataDir), 'data.tar')
  await writeFile(file, content)
  await tar('--extract', `--file=${file}`, `--directory=${dataDir}`)
  await rm(file)
}
