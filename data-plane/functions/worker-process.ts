import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OsUser } from '#kit/postgres/os-user'
import type { Folders, WorkerFolder } from './folders.ts'

export type Program = {
  deno: string
  folders: Pick<Folders, 'bootstrap' | 'libraries'>
  laid: WorkerFolder
  user: OsUser | undefined
  entrypoint: string
  ref: string
  /** What its function sees beside what it is started with. */
  environment: Record<string, string>
  memoryMb: number
  /** Where it may not connect to, for Deno. */
  denied: string
  executionId: string
}

/** One worker after the other has a socket of its own: what a killed one leaves behind is in nobody's way. */
export const socketOf = ({ run }: WorkerFolder, executionId: string) =>
  join(run, executionId.slice(0, 8))
export const gatewayOf = ({ run }: WorkerFolder) => join(run, 'g')
export const databaseOf = ({ run }: WorkerFolder) => join(run, 'd')

/** No core files, few open files, no large ones, and the first to go when the machine is out of memory. */
const shell =
  'ulimit -c 0; ulimit -n 1024; ulimit -f 1048576; echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$@"'

/** Where Deno loads modules by way of a proxy, it asks nobody whether that may be reached. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

/**
 * Starts Deno with nothing but: its own code to read, a folder to write, its own environment, and the network without what is
 * denied. It is the first of a process group of its own.
 */
export function startProgram(program: Program): ChildProcess {
  const { deno, folders, laid, user, environment, memoryMb } = program
  const libraries = Object.values(folders.libraries).filter((path) => path !== undefined)
  const readable = [laid.code, laid.run, laid.temporary, ...libraries]
  const options = {
    entry: pathToFileURL(join(laid.code, program.entrypoint)).href,
    socket: socketOf(laid, program.executionId),
    gateway: gatewayOf(laid),
    database: databaseOf(laid),
    ref: program.ref,
    temporary: laid.temporary,
    folder: laid.folder,
    usesPackages: laid.usesPackages,
  }
  const flags = [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-lock',
    `--config=${join(laid.folder, 'deno.json')}`,
    `--v8-flags=--max-old-space-size=${memoryMb}`,
    '--allow-env',
    `--ignore-env=${proxies.flatMap((name) => [name, name.toLowerCase()]).join(',')}`,
    '--allow-net',
    `--deny-net=${program.denied}`,
    `--allow-read=${readable.join(',')}`,
    `--allow-write=${laid.run},${laid.temporary}`,
    folders.bootstrap,
    JSON.stringify(options),
  ]
  const child = spawn('/bin/sh', ['-c', shell, 'sh', deno, ...flags], {
    cwd: laid.run,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      SB_EXECUTION_ID: program.executionId,
      DENO_DIR: laid.cache,
      DENO_NO_UPDATE_CHECK: '1',
      NO_COLOR: '1',
      PATH: '/usr/bin:/bin',
      TMPDIR: laid.temporary,
    },
    ...user,
  })
  child.stdin.write(`${JSON.stringify(environment)}\n`)
  return child
}
