import { open, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { entriesOf, listOf } from './entries.ts'
import { openInstance, type Library } from './instance.ts'
import type { Pack } from './protocol.ts'

/** Entries of one group in a packed file: what is not asked for is passed over by whole groups. */
const groupOf = 20_480

/**
 * Writes the entries of some files into one as columns, and answers how many there are and from when to when they reach.
 * The file is on the disk when this answers. Lines are brought into the order of time; packed files follow each other as
 * they are given, because putting a whole day into order takes more memory than there is.
 */
export async function pack(
  library: Library,
  memoryMb: number,
  { files, to }: Pack,
  opened: (connection: DuckDBConnection) => void,
): Promise<{ count: number; first: number; last: number } | null> {
  await rm(to, { force: true })
  const paths = [...files.lines, ...files.packed]
  const instance = await openInstance(library, memoryMb, [...paths, to])
  try {
    const { connection } = instance
    opened(connection)
    const order = files.lines.length > 0 ? ' order by "timestamp"' : ''
    await connection.run(
      `copy (${entriesOf(files)}${order}) to ${listOf([to]).slice(1, -1)} (format parquet, compression zstd, row_group_size ${groupOf})`,
    )
    const asked = await connection.runAndReadAll(
      `select count(*), min("timestamp"), max("timestamp") from read_parquet(${listOf([to])})`,
    )
    const [count, first, last] = (asked.getRows()[0] ?? []).map(Number)
    if (!count || first === undefined || last === undefined) {
      await rm(to, { force: true })
      return null
    }
    await sync(to)
    return { count, first, last }
  } finally {
    instance.close()
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
