import { execFile } from 'node:child_process'
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DiskUse } from '../provider.ts'
import type { Machine } from './machine.ts'

const run = promisify(execFile)

/** What of a data directory holds the databases, and what can grow beside them. All belong to no other of these. */
const databases = ['base', 'global']
const beside = ['pg_wal', 'pg_replslot', 'pg_logical', 'pg_multixact', 'pg_xact', 'pg_subtrans']
const timeoutMs = 30_000

/**
 * Bytes of the blocks that a project's server takes. A program counts them: it follows no link, and a folder of many files
 * holds up nobody here. Undefined where there is no such project.
 */
export async function diskUse(
  { folders, registry }: Machine,
  ref: string,
): Promise<DiskUse | undefined> {
  if (!registry.get(ref)?.ready) return undefined
  const data = folders.data(ref)
  const there = new Set(await readdir(data))
  const names = [...databases, ...beside].filter((name) => there.has(name))
  const { stdout } = await run('du', ['-skx', ...names], {
    cwd: data,
    timeout: timeoutMs,
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
  }).catch(whatItCounted)
  return { database: sumOf(stdout, databases), other: sumOf(stdout, beside) }
}

const segment = /^[0-9A-F]{24}$/

/**
 * Changes with all that a server writes, at the latest when it commits: when its write-ahead log was written to last, and how
 * much of it there is. A few looks, where counting takes a program and a walk over every file.
 */
export async function diskMark(
  { folders, registry }: Machine,
  ref: string,
): Promise<string | undefined> {
  if (!registry.get(ref)?.ready) return undefined
  const folder = join(folders.data(ref), 'pg_wal')
  const names = (await readdir(folder)).filter((name) => segment.test(name)).toSorted()
  // Undefined for one that the server has just removed or renamed: names and times differ then, too.
  const times = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    ),
  )
  return JSON.stringify([names, times])
}

/** A file that ends while it is counted makes `du` fail, after it has counted the others. */
function whatItCounted(error: unknown): { stdout: string } {
  if (error instanceof Error && 'stdout' in error && 'code' in error && error.code === 1) {
    return { stdout: String(error.stdout) }
  }
  throw error
}

/** Of lines `1234<tab>name`, in kilobytes. */
function sumOf(lines: string, names: readonly string[]): number {
  let bytes = 0
  for (const line of lines.split('\n')) {
    const [, kilobytes, name = ''] = /^(\d+)\t(.+)$/.exec(line) ?? []
    if (names.includes(name)) bytes += Number(kilobytes) * 1024
  }
  return bytes
}

/** Bytes that are left on the disk of the servers, and that it has. */
export async function diskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}
