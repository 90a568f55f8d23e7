import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listProcesses } from '#kit/postgres/processes'
import { stopServer } from '#kit/postgres/server'

const prefix = `plinth-test-${process.getuid?.() ?? 0}-`

/** Marks a folder as living as long as this process. Its name starts with `testFolderPrefix`. */
export async function ownTestFolder(folder: string): Promise<void> {
  await writeFile(join(folder, 'owner-pid'), String(process.pid))
}
export const testFolderPrefix = join(tmpdir(), prefix)

/** Ends the servers of test runs that were killed, and removes their folders. Runs of other users are left alone. */
export async function removeStaleTestFolders(): Promise<void> {
  const programs = new Map((await listProcesses()).map((p) => [p.pid, p.program]))
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const folder = join(tmpdir(), name)
    const owner = Number(await readFile(join(folder, 'owner-pid'), 'utf8').catch(() => 'NaN'))
    // A folder without an owner is one that another run makes at this moment.
    if (Number.isNaN(owner) || programs.get(owner) === 'node') continue
    await stopServer(join(folder, 'data'), { mode: 'immediate' })
    await rm(folder, { recursive: true, force: true })
  }
}
