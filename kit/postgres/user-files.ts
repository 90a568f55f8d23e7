import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { readIfExists } from './files.ts'
import type { OsUser } from './os-user.ts'

const run = promisify(execFile)

/** Where everybody may make files. */
const places = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock', tmpdir()]

/**
 * $1 is the user, the places follow. Folders that it cannot read hold nothing of it that it could reach; in those that it
 * owns it may have hidden files from itself.
 */
const removal = `user="$1"; shift
exec find -P "$@" -xdev -mindepth 1 -type d ! -uid "$user" ! '(' -readable -executable ')' -prune \\
  -o -uid "$user" -prune -print -exec chmod -R u+rwX -- {} ';' -exec rm -rf --one-file-system -- {} ';'`

/**
 * Removes what a user whose processes have all ended has left where everybody may make files, and in shared memory. Runs as
 * that user, so that no link and no folder of somebody else leads it to more than the user could have removed itself. Resolves
 * to what there was, shortened.
 */
export async function removeFilesOfUser(user: OsUser): Promise<string[]> {
  const here = await Promise.all(places.map((place) => realpath(place).catch(() => '')))
  const found = [...new Set(here)].filter((place) => place !== '')
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...user }
  const { stdout } = await run('/bin/sh', ['-c', removal, 'sh', String(user.uid), ...found], {
    ...options,
    maxBuffer: Infinity,
  }).catch((error: unknown) => {
    // A file that went away meanwhile, or lies in a folder that is closed to its owner now, is told of but ends nothing.
    if (error instanceof Error && 'stdout' in error && 'code' in error && error.code === 1)
      return { stdout: String(error.stdout) }
    const { code, signal, stderr } = Object(error) as Record<string, unknown>
    const how = `ended with ${String(signal ?? code)}: ${String(stderr).trim().slice(-500)}`
    throw new Error(`The search for files of user ${user.uid} ${how}`, { cause: error })
  })
  const memory = await segmentsOf(user.uid)
  if (memory.length > 0) await run('ipcrm', memory, options)
  const files = stdout.split('\n').filter((name) => name !== '')
  return [...files, ...memory.filter((_, i) => i % 2 === 1).map((id) => `memory ${id}`)]
}

const kinds = [
  { list: 'shm', id: 'shmid', option: '-m' },
  { list: 'sem', id: 'semid', option: '-s' },
  { list: 'msg', id: 'msqid', option: '-q' },
]

/** What `ipcrm` is told to remove all System V memory, semaphores and queues that a user owns or has made. */
async function segmentsOf(uid: number): Promise<string[]> {
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const text = (await readIfExists(`/proc/sysvipc/${kind.list}`)) ?? ''
      const [head = [], ...rows] = text.split('\n').map((line) => line.trim().split(/\s+/))
      const of = (row: string[], name: string) => row[head.indexOf(name)] ?? ''
      return rows
        .filter((row) => [of(row, 'uid'), of(row, 'cuid')].includes(String(uid)))
        .flatMap((row) => [kind.option, of(row, kind.id)])
    }),
  )
  return lists.flat()
}
