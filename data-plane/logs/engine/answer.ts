import type { DuckDBConnection } from '@duckdb/node-api'
import { countsOf } from './counts.ts'
import { entriesOf } from './entries.ts'
import { openInstance, type Library } from './instance.ts'
import type { Ask, Parameter, Row, Statement, Value } from './protocol.ts'

/** Whole numbers as such: times would be compared as floating point otherwise. */
const toEngine = (value: Parameter) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value

function fromEngine(value: unknown): Value {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

/** A regular expression that the engine cannot read. */
export class BadPattern extends Error {}

/** @throws BadPattern */
async function checkPattern(connection: DuckDBConnection, pattern: string): Promise<void> {
  try {
    await connection.run(`select regexp_matches('', $1, 'i')`, [pattern])
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new BadPattern(words.replace(/^Invalid Input Error: /, ''))
  }
}

/**
 * Runs the statements of a question until there are enough rows. Calls `opened` with what can be interrupted meanwhile.
 * Rows are read piece by piece, and no further ones when there are bytes enough.
 */
export async function answer(
  library: Library,
  memoryMb: number,
  { statements, pattern, enough = Infinity, maxBytes }: Ask,
  opened: (connection: DuckDBConnection) => void,
): Promise<{ results: Row[][]; cut: boolean }> {
  const paths = statements.flatMap(pathsOfStatement)
  const instance = await openInstance(library, memoryMb, [...new Set(paths)])
  try {
    opened(instance.connection)
    if (pattern !== undefined) await checkPattern(instance.connection, pattern)
    const results: Row[][] = []
    let [rows, bytes, cut] = [0, 0, false]
    for (const statement of statements) {
      if (cut || rows >= enough) break
      const found: Row[] = []
      results.push(found)
      for await (const row of rowsOf(instance.connection, statement)) {
        bytes += JSON.stringify(row).length
        if (bytes > maxBytes) {
          cut = true
          break
        }
        found.push(row)
        rows += 1
      }
    }
    return { results, cut }
  } finally {
    instance.close()
  }
}

/** All files that a statement reads. */
export const pathsOfStatement = ({ files, counted }: Statement): string[] => [
  ...files.lines,
  ...files.packed,
  ...(counted ? [...counted.counts, ...counted.edges] : []),
]

async function* rowsOf(
  connection: DuckDBConnection,
  { files, counted, sql, parameters }: Statement,
): AsyncGenerator<Row> {
  await connection.run(`create or replace temp view entries as ${entriesOf(files)}`)
  if (counted) {
    const edges = entriesOf({ lines: [], packed: counted.edges })
    await connection.run(`create or replace temp view edges as ${edges}`)
    await connection.run(`create or replace temp view counts as ${countsOf(counted.counts)}`)
  }
  const result = await connection.stream(sql, parameters.map(toEngine))
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    for (const row of chunk.getRows()) yield row.map(fromEngine)
  }
}
