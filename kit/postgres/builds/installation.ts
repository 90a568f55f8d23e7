import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '../../made-once.ts'
import { binariesIn, type Layout, type PostgresBinaries } from '../binaries.ts'
import { exists } from '../files.ts'
import type { OsUser } from '../os-user.ts'

const run = promisify(execFile)

/** The data directories of projects are of this major version. */
const major = '17'

/** Where an installation of PostgreSQL has its parts, which packages lay far apart. All absolute. */
type Installation = {
  version: string
  bin: string
  share: string
  lib: string
  /** Where libraries are that the programs need; undefined where the system looks by itself. */
  needed: string | undefined
}

const systems = /^\/(?:usr\/)?lib(?:64|\/[^/]+)?$/

/**
 * What the `pg_config` of an installation says of it.
 * @param folder the installation, or its folder of programs
 * @throws Error with one line for the operator where it is none of PostgreSQL 17
 */
export async function installationIn(folder: string): Promise<Installation> {
  const candidates = [join(folder, 'bin/pg_config'), join(folder, 'pg_config')]
  const found = await Promise.all(candidates.map(exists))
  const program = candidates[found.indexOf(true)]
  if (program === undefined) throw new Error(`${folder} has no bin/pg_config`)
  const options = ['--version', '--bindir', '--sharedir', '--pkglibdir', '--libdir']
  const { stdout } = await run(program, options, { cwd: '/' })
  const [says = '', bin = '', share = '', lib = '', libraries = ''] = stdout.split('\n')
  const [, version = ''] = /(\d+\.\d+)/.exec(says) ?? []
  if (version.split('.')[0] !== major)
    throw new Error(`${folder} is ${says || 'no PostgreSQL'}, projects need PostgreSQL ${major}`)
  for (const file of [join(bin, 'postgres'), join(bin, 'initdb'), join(share, 'postgres.bki')])
    if (!(await exists(file))) throw new Error(`${folder} has no ${file}: install the server too`)
  const isOwn = [lib, dirname(lib)].includes(libraries) && !systems.test(libraries)
  return { version, bin, share, lib, needed: isOwn ? libraries : undefined }
}

/**
 * The parts below the folder that they have in common: the programs look for the others from where they lie themselves, so a copy
 * of them has to keep how they lie to each other.
 */
export function layoutOf({ bin, share, lib }: Pick<Installation, 'bin' | 'share' | 'lib'>): Layout {
  const parts = [bin, share, lib].map((path) => path.split('/'))
  const [first = []] = parts
  let common = 0
  while (common < first.length && parts.every((part) => part[common] === first[common])) common++
  const top = first.slice(0, common).join('/') || '/'
  return { bin: relative(top, bin), share: relative(top, share), lib: relative(top, lib) }
}

/** Of what an installation shares, for people and not for the server. */
const forPeople = new Set(['man', 'doc'])

/**
 * A copy of an installation below `parent`, made once for each version of it, which the user of servers can run, and which an upgrade of the
 * package does not pull from under a server. The installation itself is only read.
 */
export async function copyOfInstallation(
  folder: string,
  parent: string,
  user: OsUser | undefined,
): Promise<PostgresBinaries> {
  const installed = await installationIn(folder)
  const { bin, share, lib, needed, version } = installed
  const layout = layoutOf(installed)
  const { mtimeMs, size } = await stat(join(bin, 'postgres'))
  const key = createHash('sha256')
    .update(JSON.stringify([installed, mtimeMs, size]))
    .digest('hex')
  const target = join(parent, `own-${key.slice(0, 8)}`)
  const shared = (await readdir(share)).filter((name) => !forPeople.has(name))
  const make = async (copy: string) => {
    await copyInto(join(copy, layout.bin), [join(bin, 'postgres'), join(bin, 'initdb')])
    await copyInto(
      join(copy, layout.share),
      shared.map((name) => join(share, name)),
    )
    if (needed !== undefined && needed !== lib) {
      const libraries = (await readdir(needed)).filter((name) => /\.(?:so|dylib)\b/.test(name))
      const beside = join(copy, layout.lib, relative(lib, needed))
      await copyInto(
        beside,
        libraries.map((name) => join(needed, name)),
      )
    }
    await copyInto(
      join(copy, layout.lib),
      (await readdir(lib)).map((name) => join(lib, name)),
    )
    if (user) await run('chown', ['-R', '--', '0:0', copy])
    await run('chmod', ['-R', 'go=rX,u+rwX', copy])
  }
  const isGood = () =>
    binariesIn(target, user, layout).then(
      () => true,
      () => false,
    )
  await madeOnce(target, make, isGood)
  const copied = await binariesIn(target, user, layout)
  if (copied.version !== version) throw new Error(`${bin}/postgres is ${copied.version}`)
  await checkMoved(copied, join(target, layout.share), user)
  return copied
}

/** What links lead to is copied: a package may link from one of its folders to another. */
async function copyInto(folder: string, files: string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (files.length > 0) await run('cp', ['-RLp', '--', ...files, folder])
}

/** A server that were built to look at fixed places would use the folders of the installation, and none of our extensions. */
async function checkMoved(
  { initdb }: PostgresBinaries,
  share: string,
  user: OsUser | undefined,
): Promise<void> {
  const { stdout, stderr } = await run(initdb, ['--show', '-D', '/nowhere'], { cwd: '/', ...user })
  const [, used] = /^share_path=(.*)$/m.exec(stdout + stderr) ?? []
  if (used !== share)
    throw new Error(`a copy of this PostgreSQL looks for its files in ${used}: it cannot be used`)
}
