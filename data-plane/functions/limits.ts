import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What one worker may use. */
export type WorkerLimits = {
  /** Megabytes that are its own; the program itself counts for nothing. */
  memoryMb: number
  /** Milliseconds of CPU time that one request may take. */
  cpuMs: number
  /** Milliseconds until it has to listen, downloads included. */
  bootMs: number
  /** Milliseconds without requests after which it ends. */
  idleMs: number
  /** Milliseconds that one request may take; by the plan of the organization unless told. */
  wallMs?: number | undefined
}

/** contracts/functions.md */
export const defaultLimits: WorkerLimits = {
  memoryMb: 256,
  cpuMs: 2000,
  bootMs: 20_000,
  idleMs: 60_000,
}

/** What the runtime itself needs beside the function's own memory, in megabytes. */
const runtimeMb = 96

export type Usage = { memoryMb: number; cpuMs: number }

/** What a process uses by itself; undefined when it is gone. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  if (process.platform !== 'linux') return usageByPs(pid)
  try {
    const [stat, statm] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/statm`, 'utf8'),
    ])
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, resident = 0, shared = 0] = statm.split(' ').map(Number)
    // The kernel counts in hundredths of a second, and in pages of 4 KB.
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10
    return { cpuMs, memoryMb: ((resident - shared) * 4) / 1024 }
  } catch {
    return undefined
  }
}

async function usageByPs(pid: number): Promise<Usage | undefined> {
  const asked = promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)])
  const { stdout } = await asked.catch(() => ({ stdout: '' }))
  const [rss, time] = stdout.trim().split(/\s+/)
  if (!rss || !time) return undefined
  const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0)
  return { memoryMb: Number(rss) / 1024, cpuMs: seconds * 1000 }
}

/** A request on its way: what the worker had used when it began, and had finished. */
export type Running = { cpuAt: number; finishedAt: number }

/**
 * Which limit is reached: memory, or CPU time. Requests share a worker, so each that finished meanwhile may have used its
 * part. `running` is empty while the worker rests, which it may not spend on computing either.
 */
export function exceeded(
  limits: WorkerLimits,
  usage: Usage,
  running: readonly Running[],
  finished: number,
): 'memory' | 'cpu' | undefined {
  if (usage.memoryMb > limits.memoryMb + runtimeMb) return 'memory'
  const over = ({ cpuAt, finishedAt }: Running) =>
    usage.cpuMs - cpuAt > limits.cpuMs * (1 + finished - finishedAt)
  return running.some(over) ? 'cpu' : undefined
}
