import { computeSizes, sizeOfConnections } from '#contract/projects/compute-sizes'

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

const gigabyte = 1024 ** 3
/** The program, its libraries and the memory that all backends share, as one process counts them. */
const ofProgram = 300 * 1024 ** 2

/** Connections tell sizes apart, and are what is written down beside a project's data. */
export function boundsOf(maxConnections: number): Bounds {
  const size = computeSizes[sizeOfConnections(maxConnections)]
  const [, cores] = /^(\d+)-core/.exec(size.cpu) ?? []
  const memory = size.memoryGb * gigabyte
  return {
    cores: cores === undefined ? 1 : Number(cores),
    maxCores: Math.max(2, Number(cores ?? 0)),
    memory,
    memoryOfOne: Math.floor(memory / 2) + ofProgram,
    // Its places, those of the platform, and what Postgres runs besides.
    processes: maxConnections * 2 + 200,
    diskBytes: size.maxDiskMbs * 1_000_000,
    diskOperations: size.maxDiskOperations,
  }
}
