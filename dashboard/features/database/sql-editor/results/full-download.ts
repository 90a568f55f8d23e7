import { sqlQuery, type ResultField, type RunEvent } from '#contract/database/sql/sql-query'
import { callLines } from '../../../../api/lines.ts'
import { connectionHeaders } from '../../../../session/project/database.ts'
import { asInput } from '../../../../modules/roles/impersonation.ts'
import { loadCsv } from './result-export.ts'
import type { RunView } from '../running/runs.ts'
import type { StatementRun } from '../running/run-state.ts'

/** Pieces of a file are handed to the browser at this size; it keeps them outside of the page's memory. */
const pieceSize = 4_000_000

/**
 * All rows of one statement as a CSV file, run once more in a transaction that only reads: rows flow through, so that
 * any number of them fits. `onRows` tells how many there are so far. Throws what went wrong, in Postgres's words.
 */
export async function downloadAll(
  ref: string,
  run: RunView,
  statement: StatementRun,
  { signal, onRows }: { signal: AbortSignal; onRows: (rows: number) => void },
): Promise<Blob> {
  const { as, parameters, timeoutMs } = run.options
  const input = {
    ref,
    id: crypto.randomUUID(),
    query: run.sent.sql.slice(statement.start, statement.end),
    row_limit: null,
    timeout_ms: Math.max(timeoutMs, 600_000),
    read_only: true,
    parameters,
    ...asInput(as),
  }
  const headers = await connectionHeaders(ref)
  const csvLines = await loadCsv()
  const pieces: Blob[] = []
  let text = ''
  let fields: readonly ResultField[] = []
  let rows = 0
  const flush = () => {
    if (text) pieces.push(new Blob([text]))
    text = ''
  }
  for await (const event of callLines<RunEvent>(sqlQuery.run, input, { headers, signal })) {
    if (event.type === 'error') throw new Error(event.error.message)
    if (event.type === 'fields') {
      fields = event.fields
      text += csvLines([fields.map(({ name }) => name)])
    }
    if (event.type === 'rows') {
      rows += event.rows.length
      text += csvLines(event.rows)
      if (text.length > pieceSize) flush()
      onRows(rows)
    }
  }
  flush()
  return new Blob(pieces, { type: 'text/csv;charset=utf-8' })
}

/** A name that every file system takes. */
export const fileName = (name: string, ending: string) =>
  `${name.replace(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'query'}.${ending}`
