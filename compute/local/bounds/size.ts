import { computeSizes, coresOf, sizeOfConnections } from '#contract/projects/compute-sizes'
import type { MachineCapacity } from '../../provider.ts'
import { machineCapacity } from './capacity.ts'

/** What the server of a project may take of its machine. */
export type Bounds = {
  /** Share of the processors beside other projects, in cores; it may use more while nobody else wants them. */
  cores: number
  /** Cores that it may use in any case. */
  maxCores: number
  /** Bytes of all its processes. */
  memory: number
  /** Bytes of one of its processes, with what all of them share. */
  memoryOfOne: number
  processes: number
  /** Of the disk, in a second. */
  diskBytes: number
  diskOperations: number
}

const megabyte = 1024 ** 2
const gigabyte = 1024 ** 3
/** The program, its libraries and the memory that all backends share, as one process counts them. */
const ofProgram = 300 * megabyte

/** Connections tell sizes apart, and are what is written down beside a project's data. */
export function boundsOf(maxConnections: number): Bounds {
  const size = computeSizes[sizeOfConnections(maxConnections)]
  const cores = coresOf(size)
  const memory = size.memoryGb * gigabyte
  return {
    cores,
    maxCores: Math.max(2, cores),
    memory,
    memoryOfOne: Math.floor(memory / 2) + ofProgram,
    // Its places, those of the platform, and what Postgres runs besides.
    processes: maxConnections * 2 + 200,
    diskBytes: size.maxDiskMbs * 1_000_000,
    diskOperations: size.maxDiskOperations,
  }
}

const between = (least: number, value: number, most: number) =>
  Math.min(most, Math.max(least, Math.floor(value)))

/**
 * How a server uses what its bounds give it, and no more than the machine has. The smallest sizes share little memory, so that
 * an idle project costs little; a quarter of the larger ones is shared, and what is not touched is not used.
 */
export function memorySettings(
  maxConnections: number,
  machine: MachineCapacity = machineCapacity(),
): Record<string, string> {
  const bounds = boundsOf(maxConnections)
  const memory = Math.min(bounds.memory, machine.memoryBytes)
  const cores = Math.min(bounds.maxCores, machine.cores)
  const megabytes = (bytes: number, least: number, most: number) =>
    `${between(least, bytes / megabyte, most)}MB`
  const parallel = between(4, cores, 64)
  return {
    shared_buffers: memory < gigabyte ? '32MB' : megabytes(memory / 4, 32, 16 * 1024),
    work_mem: megabytes(memory / 4 / maxConnections, 4, 256),
    maintenance_work_mem: megabytes(memory / 16, 32, 2048),
    effective_cache_size: megabytes((memory / 4) * 3, 64, 1024 * 1024),
    max_parallel_workers: String(parallel),
    max_worker_processes: String(parallel + 2),
    max_parallel_workers_per_gather: String(between(2, cores / 2, 8)),
    autovacuum_max_workers: String(between(2, cores / 4, 6)),
  }
}
