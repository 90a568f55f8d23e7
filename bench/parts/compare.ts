import { realpath } from 'node:fs/promises'
import { readIfExists } from '#kit/postgres/files'
import { processesOf } from '#kit/postgres/processes'

/** One measured run. `value` and its `p99` are what is compared, in any unit; `cpuMs` is all processor time it took. */
export type Measured = { value: number; cpuMs: number; p99?: number }
export type Comparison = {
  ours: () => Promise<Measured>
  baseline: () => Promise<Measured>
  /** At least 5. One more round of each runs first and does not count. */
  rounds?: number
}

/**
 * Runs ours and the baseline in turns and prints one JSON line. The figures are medians of the ratios of each round:
 * a shared machine changes its speed from minute to minute, and both sides of a round feel it alike.
 */
export async function compare(name: string, comparison: Comparison): Promise<void> {
  const rounds = Math.max(5, comparison.rounds ?? 5)
  const ratios: number[] = []
  const cpuRatios: number[] = []
  const p99Ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const ours = await comparison.ours()
    const baseline = await comparison.baseline()
    if (round === 0) continue
    ratios.push(ours.value / baseline.value)
    cpuRatios.push(ours.cpuMs / baseline.cpuMs)
    if (ours.p99 && baseline.p99) p99Ratios.push(ours.p99 / baseline.p99)
  }
  const p99 = p99Ratios.length > 0 ? { p99Ratio: median(p99Ratios) } : {}
  const line = { name, ratio: median(ratios), ...p99, cpuRatio: median(cpuRatios), rounds }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/**
 * Measures milliseconds and processor time of `work`: of this process, of children that ended meanwhile, and of the
 * servers in the data directories it returns, which it must have started.
 */
export async function measure(work: () => Promise<string[]>): Promise<Measured> {
  const cpu = await ownCpu()
  const start = performance.now()
  const dataDirs = await work()
  const value = performance.now() - start
  const servers = (
    await Promise.all(dataDirs.map(async (dir) => processesOf(await realpath(dir))))
  ).flat()
  const used = await Promise.all(servers.map(({ pid }) => cpuTicks(pid, [14, 15])))
  return { value, cpuMs: (await ownCpu()) - cpu + sum(used) * msPerTick }
}

/** Linux counts processor time of other processes in hundredths of a second. */
const msPerTick = 10

async function ownCpu(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (await cpuTicks(process.pid, [16, 17])) * msPerTick
}

/** Sums fields of /proc/PID/stat, numbered as in proc(5): 14 and 15 its own time, 16 and 17 that of ended children. */
async function cpuTicks(pid: number, fields: number[]): Promise<number> {
  // A process that has ended meanwhile was short of one tick.
  const stat = (await readIfExists(`/proc/${pid}/stat`)) ?? ''
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return sum(fields.map((field) => Number(values[field - 3] ?? 0)))
}

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  const value = sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
  return Math.round(value * 1000) / 1000
}
