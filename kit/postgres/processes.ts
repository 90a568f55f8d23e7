import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** One live process. `cwd` is empty where we may not look; a zombie is not alive and never listed. */
export type OsProcess = { pid: number; ppid: number; program: string; cwd: string }

/**
 * Every live process of this machine that we may see. Linux reads /proc; elsewhere `ps` is asked and the
 * working directory is taken from the `-D` argument, which is the same thing for a Postgres server.
 */
export async function listProcesses(): Promise<OsProcess[]> {
  if (process.platform !== 'linux') return listWithPs()
  const names = await readdir('/proc')
  const found = await Promise.all(names.filter((n) => /^\d+$/.test(n)).map((n) => readProc(n)))
  return found.filter((p) => p !== undefined)
}

async function readProc(name: string): Promise<OsProcess | undefined> {
  const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
  // The program name is in parentheses and may itself hold any character, so fields count from the last one.
  const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (stat === '' || state === 'Z' || state === 'X') return undefined
  const [exe, cwd] = await Promise.all([
    readlink(`/proc/${name}/exe`).catch(() => ''),
    readlink(`/proc/${name}/cwd`).catch(() => ''),
  ])
  const program = basename(exe.replace(/ \(deleted\)$/, ''))
  return { pid: Number(name), ppid: Number(ppid), program, cwd: cwd.replace(/ \(deleted\)$/, '') }
}

async function listWithPs(): Promise<OsProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,state=,command='])
  return stdout.split('\n').flatMap((line) => {
    const parts = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)(.*)$/.exec(line)
    if (!parts || parts[3]?.startsWith('Z')) return []
    const cwd = / -D (.+?)(?: -[a-zA-Z] |$)/.exec(parts[5] ?? '')?.[1] ?? ''
    const program = basename((parts[4] ?? '').replace(/:$/, ''))
    return [{ pid: Number(parts[1]), ppid: Number(parts[2]), program, cwd }]
  })
}

/** The live process with this pid; a zombie that nobody has reaped yet counts as ended. */
export async function findProcess(pid: number): Promise<OsProcess | undefined> {
  if (process.platform === 'linux') return readProc(String(pid))
  return (await listWithPs()).find((p) => p.pid === pid)
}

/**
 * When a live process began, in the machine's own count: with the pid it names one process for good. Undefined for a process
 * that has ended, and where the system has no such file. Read at once, since the file is made in memory.
 */
export function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

/** Whether a pid is given out: to a live process, or to one that has ended and that nobody has reaped. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Sends a signal; a process that has already ended is what the sender wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Looks every few milliseconds until `condition` holds; false when the deadline passes first. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  deadlineMs: number,
): Promise<boolean> {
  const end = performance.now() + deadlineMs
  while (!(await condition())) {
    if (performance.now() > end) return false
    await delay(4)
  }
  return true
}

/**
 * The processes of the server of one data directory: every postgres that works in it and all their descendants.
 * Each child of a postmaster is a session of its own and outlives it, so parentage alone does not find them.
 */
export async function processesOf(dataDir: string): Promise<OsProcess[]> {
  const all = await listProcesses()
  const mine = new Set(
    all.filter((p) => p.program === 'postgres' && p.cwd === dataDir).map((p) => p.pid),
  )
  for (let grown = -1; grown !== mine.size;) {
    grown = mine.size
    for (const p of all) if (mine.has(p.ppid)) mine.add(p.pid)
  }
  return all.filter((p) => mine.has(p.pid))
}

/** Ends every process of a data directory at once, without a shutdown. Throws when one survives 10 seconds. */
export async function killAllOf(dataDir: string): Promise<void> {
  const gone = await waitUntil(async () => {
    const left = await processesOf(dataDir)
    for (const { pid } of left) signal(pid, 'SIGKILL')
    return left.length === 0
  }, 10_000)
  if (!gone) throw new Error(`Processes of ${dataDir} do not end`)
}
