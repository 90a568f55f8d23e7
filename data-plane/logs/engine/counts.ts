import type { DuckDBConnection } from '@duckdb/node-api'
import { listOf, typeOf } from './entries.ts'

/** Entries are counted by quarters of an hour, in microseconds: what is asked of other times reads the entries. */
export const slotMicros = 900_000_000

/** What entries are told apart by where they are counted. */
const fewFields = ['source', 'level', 'status', 'method', 'severity'] as const
const allFields = [...fewFields, 'host', 'path'] as const
export const countedBy = { all: allFields, few: fewFields }
export type CountedFields = keyof typeof countedBy

/** Fewer entries are as quickly read as their counts. */
const worthCounting = 4096
/** Counts are worth their room where they are so much fewer than entries; and they have to fit into the packer's memory. */
const fewerBy = 5
const mostCounts = 200_000

/**
 * Counts the entries of a packed file into one beside it, and answers by what; null: they are too few, or too different
 * from each other. Whoever finds no counts reads the entries, so this changes no answer.
 */
export async function count(
  connection: DuckDBConnection,
  packed: string,
  to: string,
): Promise<CountedFields | null> {
  const slot = `("timestamp" // ${slotMicros})`
  const kinds = (fields: readonly string[]) =>
    `approx_count_distinct(hash(${slot}, ${fields.map((name) => `"${name}"`).join(', ')}))`
  const from = `read_parquet(${listOf([packed])})`
  const asked = await connection.runAndReadAll(
    `select count(*), ${kinds(allFields)}, ${kinds(fewFields)} from ${from}`,
  )
  const [entries = 0, all = 0, few = 0] = (asked.getRows()[0] ?? []).map(Number)
  const isWorth = (counts: number) => counts <= Math.min(entries / fewerBy, mostCounts)
  if (entries < worthCounting) return null
  const fields = isWorth(all) ? 'all' : isWorth(few) ? 'few' : undefined
  if (!fields) return null
  const has = new Set<string>(countedBy[fields])
  const columns = allFields.map((name) =>
    has.has(name) ? `"${name}"` : `null::${typeOf(name)} as "${name}"`,
  )
  await connection.run(
    `copy (select ${slot} * ${slotMicros} as "timestamp", ${columns.join(', ')}, count(*) as n
      from ${from} group by all order by "timestamp") to ${listOf([to]).slice(1, -1)} (format parquet, compression zstd)`,
  )
  return fields
}

/** A query for all counts of some files: the time at which a slot begins, what is counted, and how often. */
export const countsOf = (paths: readonly string[]): string =>
  `select "timestamp", ${allFields.map((name) => `"${name}"`).join(', ')}, n from read_parquet(${listOf(paths)})`
