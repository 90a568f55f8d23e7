import { readFileSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { listProcesses, signal } from '#kit/postgres/processes'

const prefix = `plinth-test-${process.getuid?.() ?? 0}-`
const memory = '/dev/shm'

/** Bytes: the clusters and databases that a run has at one time, several times over. */
const plenty = 6 * 1024 ** 3

/**
 * A new folder of this run, which lives as long as this process and can be passed through by the users of servers. It is in
 * memory where there is plenty: making, flushing and removing a cluster of a thousand files takes a tenth of the time it
 * takes on a disk that others use as well. TMPDIR says otherwise.
 */
export async function makeRunFolder(): Promise<string> {
  const folder = await mkdtemp(join(hasRoomInMemory() ? memory : tmpdir(), prefix))
  await writeFile(join(folder, 'owner-pid'), String(process.pid))
  await chmod(folder, 0o711)
  return folder
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || process.env['TMPDIR']) return false
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const options = mounts.map((line) => line.split(' ')).find(([, at]) => at === memory)?.[3]
  // Copies of the Postgres programs are run there.
  if (options === undefined || options.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) > plenty
}

/** Ends the servers of test runs that were killed, and removes their folders. Runs of other users are left alone. */
export async function removeStaleRunFolders(): Promise<void> {
  const processes = await listProcesses()
  for (const folder of await runFolders()) {
    const owner = Number(await readFile(join(folder, 'owner-pid'), 'utf8').catch(() => 'NaN'))
    // A folder without an owner is one that another run makes at this moment.
    if (Number.isNaN(owner)) continue
    if (processes.some(({ pid, program }) => pid === owner && program === 'node')) continue
    for (const { pid, program, cwd } of processes)
      if (program === 'postgres' && cwd.startsWith(`${folder}/`)) signal(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function runFolders(): Promise<string[]> {
  const places = await Promise.all(
    [...new Set([memory, tmpdir()])].map(async (place) => {
      const names = await readdir(place).catch(() => [])
      return names.filter((name) => name.startsWith(prefix)).map((name) => join(place, name))
    }),
  )
  return places.flat()
}
