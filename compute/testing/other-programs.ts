import { execFile } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { locateBinaries } from '#kit/postgres/binaries'

const run = promisify(execFile)

/** Versions that were never published, whose names are as long as that of the one that npm installed. */
export const olderVersion = '17.09'
export const newerVersion = '17.99'

/**
 * An installation of another minor version, made of the one that npm installed: the same programs, which name another version of
 * themselves.
 */
export async function anotherMinor(folder: string, version: string) {
  const { native, version: installed } = await locateBinaries()
  if (installed.length !== version.length) throw new Error(`${installed} has another length`)
  await run('cp', ['-a', '--', native, folder])
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = join(folder, 'bin', program)
    // Binary, so that each byte stays one.
    const text = (await readFile(file)).toString('latin1').replaceAll(installed, version)
    await writeFile(`${file}.own`, Buffer.from(text, 'latin1'), { mode: 0o755 })
    await rename(`${file}.own`, file)
  }
  const lines = [
    `PostgreSQL ${version}`,
    ...['bin', 'share/postgresql', 'lib/postgresql', 'lib'].map((part) => join(folder, part)),
  ]
  const script = `#!/bin/sh\ncat <<'E'\n${lines.join('\n')}\nE\n`
  await writeFile(join(folder, 'bin/pg_config'), script, { mode: 0o755 })
  return folder
}
