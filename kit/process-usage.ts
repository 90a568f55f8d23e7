import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Megabytes that are a process's own, and the milliseconds of processor time it has used. */
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
