import { execFile } from 'node:child_process'
import { access, chmod, copyFile, lstat, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '#kit/made-once'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'

const run = promisify(execFile)

/** Packages by what they are for; each holds one program. */
const packages: Record<string, string> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
}

/**
 * The Deno program that npm installed for this machine, or a copy of it where the users of the workers cannot reach the
 * installed one. Undefined: there is none for this machine.
 */
export async function findDeno(): Promise<string | undefined> {
  const name = packages[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  for (const base of [import.meta.url, join(process.cwd(), 'x.js')]) {
    const program = installed(name, base)
    if (program && (await exists(program))) return runsAsRoot() ? reachable(program) : program
  }
  return undefined
}

function installed(name: string, base: string): string | undefined {
  try {
    return join(dirname(createRequire(base).resolve(`${name}/package.json`)), 'deno')
  } catch {
    return undefined
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function reachable(program: string): Promise<string> {
  const user = await namedUnprivilegedUser()
  const runs = (path: string) =>
    run(path, ['--version'], { cwd: '/', env: {}, ...user }).then(
      ({ stdout }) => /^deno (\S+)/.exec(stdout)?.[1],
      () => undefined,
    )
  if ((await runs(program)) !== undefined) return program
  const { stdout } = await run(program, ['--version'], { env: {} })
  const version = /^deno (\S+)/.exec(stdout)?.[1] ?? 'unknown'
  const folder = join(tmpdir(), 'plinth-deno')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const state = await lstat(folder)
  if (!state.isDirectory() || state.uid !== 0) {
    throw new Error(`${folder} exists and does not belong to this user: remove it`)
  }
  await chmod(folder, 0o755)
  const copy = join(folder, `deno-${process.arch}-${version}`)
  const make = async (at: string) => {
    await copyFile(program, at)
    await chmod(at, 0o755)
  }
  await madeOnce(copy, make, async () => (await runs(copy)) !== undefined)
  if ((await runs(copy)) === undefined) throw new Error(`${copy} does not run`)
  return copy
}
