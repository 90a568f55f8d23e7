import { keptRows } from '#contract/assistant/assistant'
import type { ResultCell, RunEvent } from '#contract/database/sql/sql-query'
import type { BlockResult } from './assistant-state.ts'

/** Characters of a cell that a result in a chat shows; the SQL editor shows them all. */
const longestCell = 500

/** A run that has brought nothing yet. */
export const nothing = (sql: string): BlockResult => ({
  sql,
  status: 'done',
  columns: [],
  rows: [],
  count: null,
  command: '',
  ms: 0,
})

/** The result after one more event: the last statement that has one counts, and the first failure ends it. */
export function afterEvent(result: BlockResult, event: RunEvent): BlockResult {
  switch (event.type) {
    case 'fields':
      return { ...result, columns: event.fields.map(({ name }) => name), rows: [] }
    case 'rows':
      return {
        ...result,
        rows: [...result.rows, ...event.rows.map((cells) => cells.map(cellText))].slice(
          0,
          keptRows,
        ),
      }
    case 'done':
      return { ...result, command: event.command, count: event.rows }
    case 'error': {
      const { message, code } = event.error
      return { ...result, status: 'failed', error: { message, code } }
    }
    case 'end':
      return { ...result, ms: Math.round(event.ms) }
    case 'statement':
    case 'notice':
    case 'copy':
    case 'progress':
      return result
  }
}

const cellText = (cell: ResultCell): string | null =>
  cell === null ? null : (typeof cell === 'string' ? cell : cell.head).slice(0, longestCell)

/** What Postgres says to a change in a transaction that only reads, or to a login that may only read. */
const refusals = new Set(['25006', '25001', '42501', '2D000'])

/** A block that did not run because it is more than reading. */
export const wantsChanges = ({ error }: BlockResult): boolean =>
  error !== undefined && refusals.has(error.code)
