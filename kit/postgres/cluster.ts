import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from './binaries.ts'
import { namedUnprivilegedUser, runsAsRoot, type OsUser } from './os-user.ts'
import { killAllOf } from './processes.ts'

const run = promisify(execFile)

export type ClusterOptions = {
  binaries: PostgresBinaries
  /** Is created, or must be empty. Its parent exists and can be reached by the user. */
  dataDir: string
  superuser: string
  password: string
  /** Who owns the result. Needed as root; ignored otherwise. */
  user?: OsUser | undefined
  /** WAL segment size in MB: 1 keeps a small cluster small. */
  walSegmentMb?: number
  /** Skip the final flush to disk. For throw-away clusters, and where the caller flushes later. */
  noSync?: boolean
  /** Ends it and all its processes in the middle; the files it has made by then are the caller's to remove. */
  signal?: AbortSignal | undefined
}

/**
 * Makes a new cluster with data checksums, SCRAM for every connection and the built-in C.UTF-8 locale, which sorts the
 * same on every machine. The password travels in a private file, never on the command line.
 */
export async function initCluster(options: ClusterOptions): Promise<void> {
  const asRoot = runsAsRoot()
  const maker = asRoot ? await namedUnprivilegedUser() : undefined
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const secrets = await mkdtemp(join(tmpdir(), 'plinth-init-'))
  try {
    const passwordFile = join(secrets, 'password')
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
    if (maker) {
      for (const path of [options.dataDir, secrets, passwordFile])
        await chown(path, maker.uid, maker.gid)
    }
    await chmod(options.dataDir, 0o700)
    const options_ = [
      ['-D', options.dataDir, '-U', options.superuser, `--pwfile=${passwordFile}`],
      ['--auth=scram-sha-256', '--encoding=UTF8', '--data-checksums', '--no-instructions'],
      ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      [`--wal-segsize=${options.walSegmentMb ?? 16}`, ...(options.noSync ? ['--no-sync'] : [])],
    ]
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
    const end = options.signal && { signal: options.signal, killSignal: 'SIGKILL' as const }
    await run(options.binaries.initdb, options_.flat(), { cwd: '/', env, ...end, ...maker })
  } catch (error) {
    // The server that it fills the cluster with is a process of its own, and would go on for a while.
    if (options.signal?.aborted) await killAllOf(await realpath(options.dataDir))
    throw error
  } finally {
    await rm(secrets, { recursive: true, force: true })
  }
  if (asRoot && options.user) await changeOwner(options.dataDir, options.user)
}

/** Gives a whole tree to a user. */
export async function changeOwner(path: string, user: OsUser): Promise<void> {
  await run('chown', ['-R', '--', `${user.uid}:${user.gid}`, path])
}

/** Writes every file of a stopped cluster through to the disk; a copy is not durable before this. */
export async function flushToDisk(
  binaries: PostgresBinaries,
  dataDir: string,
  user: OsUser | undefined,
): Promise<void> {
  await run(binaries.initdb, ['--sync-only', '-D', dataDir], { cwd: '/', ...user })
}
