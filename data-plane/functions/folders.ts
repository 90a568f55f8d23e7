import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FunctionCode } from '#contract/functions/functions-internal'
import { isMissing } from '#kit/postgres/files'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import { findProcess, listProcesses, signal } from '#kit/postgres/processes'
import { root } from '#kit/root'
import { usesPackages, workerConfig, type LocalLibraries } from './import-map.ts'

/** What one worker has on the disk. */
export type WorkerFolder = {
  folder: string
  code: string
  /** Sockets: the worker's own, and the one by which it reaches its project. */
  run: string
  temporary: string
  /** What Deno keeps: downloaded and compiled modules. */
  cache: string
  /** Whether it loads more than its own files. */
  usesPackages: boolean
}

/** A folder for all workers of this process; what processes before it left behind is removed. Short, for its sockets. */
export async function openFolders(home: string) {
  const key = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const base = join(tmpdir(), `plinth-fn-${process.getuid?.() ?? 0}-${key}`)
  await mkdir(base, { recursive: true, mode: 0o711 })
  const state = await lstat(base)
  if (!state.isDirectory() || state.uid !== (process.getuid?.() ?? state.uid)) {
    throw new Error(`${base} exists and does not belong to this user: remove it`)
  }
  await chmod(base, 0o711)
  await sweep(base)
  const mine = join(base, String(process.pid))
  await rm(mine, { recursive: true, force: true })
  await mkdir(mine, { mode: 0o711 })
  await chmod(mine, 0o711)
  const libraries = await layLibraries(join(mine, 'lib'))
  let made = 0

  return {
    libraries,
    bootstrap: join(mine, 'lib', 'bootstrap.js'),
    /** Lays a version's code down so that the user of its worker can read it and nothing else. */
    async lay(code: FunctionCode, user: OsUser | undefined): Promise<WorkerFolder> {
      const folder = join(mine, String((made += 1)))
      const config = workerConfig(code, join(folder, 'code'), libraries)
      const laid = {
        folder,
        code: join(folder, 'code'),
        run: join(folder, 'run'),
        temporary: join(folder, 'tmp'),
        cache: join(folder, 'cache'),
        usesPackages: usesPackages(code, config),
      }
      await mkdir(folder, { mode: 0o750 })
      if (user) await chown(folder, 0, user.gid)
      for (const each of [laid.run, laid.temporary, laid.cache]) {
        await mkdir(each, { mode: 0o700 })
        if (user) await chown(each, user.uid, user.gid)
      }
      await mkdir(laid.code)
      for (const { path, content } of code.files) {
        const target = join(laid.code, path)
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, Buffer.from(content, 'base64'), { mode: 0o644 })
      }
      await writeFile(join(folder, 'deno.json'), JSON.stringify(config), { mode: 0o644 })
      return laid
    },
    drop: ({ folder }: WorkerFolder) => rm(folder, { recursive: true, force: true }),
    close: () => rm(mine, { recursive: true, force: true }),
  }
}
export type Folders = Awaited<ReturnType<typeof openFolders>>

/** Ends workers whose data plane is gone, and removes their folders. */
async function sweep(base: string): Promise<void> {
  const left = (await readdir(base)).filter((name) => /^\d+$/.test(name))
  for (const name of left) {
    const owner = await findProcess(Number(name))
    if (owner && Number(name) !== process.pid) continue
    const folder = join(base, name)
    for (const { pid, program, cwd } of await listProcesses()) {
      if (program.startsWith('deno') && cwd.startsWith(`${folder}/`)) signal(pid, 'SIGKILL')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function layLibraries(folder: string): Promise<LocalLibraries> {
  await mkdir(folder, { mode: 0o755 })
  const own = join(root, 'data-plane/functions/worker')
  for (const name of ['bootstrap.js', 'database.js', 'std-serve.js']) {
    await copyFile(join(own, name), join(folder, name))
  }
  await writeFile(join(folder, 'empty.js'), 'export {}\n')
  const supabaseJs = await layClient(join(folder, 'supabase-js.js'))
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644)
  await chmod(folder, 0o755)
  return {
    stdServe: join(folder, 'std-serve.js'),
    empty: join(folder, 'empty.js'),
    supabaseJs,
  }
}

/** The client library in one module, where it is installed; elsewhere workers load it as any other package. */
async function layClient(target: string): Promise<string | undefined> {
  try {
    const main = createRequire(import.meta.url).resolve('@supabase/supabase-js')
    const text = await readFile(join(dirname(main), 'umd/supabase.js'), 'utf8')
    const named = /\be\.(createClient|is[A-Z]\w+|[A-Z]\w*(?:Error|Client|Api|Channel))=/g
    const exported = [...new Set([...text.matchAll(named)].map(([, name]) => name))].join(', ')
    await writeFile(
      target,
      `${text}\nexport const { ${exported} } = supabase\nexport default supabase\n`,
    )
    return target
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (isMissing(error) || code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Users of workers: numbers without names or rights, of their own for each function while it is in use. */
export function createUsers(): () => OsUser | undefined {
  if (!runsAsRoot()) return () => undefined
  const first = 1_000_000_000 + (process.pid % 100_000) * 1000
  let next = 0
  return () => {
    const id = first + (next++ % 1000)
    return { uid: id, gid: id }
  }
}
