import { open, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { count, type CountedFields } from './counts.ts'
import { entriesOf, listOf } from './entries.ts'
import { openInstance, type Library } from './instance.ts'
import type { Pack } from './protocol.ts'

/** Entries of one group in a packed file: what is not asked for is passed over by whole groups. */
const groupOf = 20_480

type Packed = { count: number; first: number; last: number; counts: CountedFields | null }

/**
 * Writes the entries of some files into one as columns, and answers how many there are and from when to when they reach.
 * The file is on the disk when this answers. Lines are brought into the order of time; packed files follow each other as
 * they are given, because putting a whole day into order takes more memory than there is. Beside it they are counted, where that is worth it.
 */
export async function pack(
  library: Library,
  memoryMb: number,
  { files, to, counts }: Pack,
  opened: (connection: DuckDBConnection) => void,
): Promise<Packed | null> {
  await rm(to, { force: true })
  await rm(counts, { force: true })
  const paths = [...files.lines, ...files.packed]
  const instance = await openInstance(library, memoryMb, [...paths, to, counts])
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
    const [all, first, last] = (asked.getRows()[0] ?? []).map(Number)
    if (!all || first === undefined || last === undefined) {
      await rm(to, { force: true })
      return null
    }
    await sync(to)
    const fields = await count(connection, to, counts)
    if (fields) await sync(counts)
    return { count: all, first, last, counts: fields }
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
