import { useCallback, useMemo, useState } from 'react'
import type { ResultCell } from '#contract/database/sql/sql-query'
import { DataGrid } from '../../../../ui/grid/DataGrid.tsx'
import type { CellView, ColumnView } from '../../../../ui/grid/grid-types.ts'
import { isCut, isNumeric, textOf } from './result-export.ts'
import type { StatementRun } from '../running/run-state.ts'

type Props = {
  statement: StatementRun
  /** The one cell that is selected, or none. */
  onCell: (cell: { row: number; column: number } | undefined) => void
}

/** Rows of one statement. They may still be arriving. */
export function ResultGrid({ statement, onCell }: Props) {
  const { fields = [], rows, received, index } = statement
  const [widths, setWidths] = useState<Readonly<Record<number, number>>>({})
  // The first rows decide the widths; later ones must not move what is being read.
  const begun = received > 0
  const columns = useMemo(
    () =>
      (fields ?? []).map(({ name, type }, at): ColumnView => ({
        id: String(at),
        name,
        type,
        width: widths[at] ?? (begun ? widthOf(name, type, rows, at) : widthOf(name, type, [], at)),
        numeric: isNumeric(type),
      })),
    [fields, rows, widths, begun],
  )
  const cellAt = useCallback(
    (row: number, column: number): CellView =>
      row < received ? viewOf(rows[row]?.[column] ?? null, columns[column]?.type) : { text: '' },
    [rows, received, columns],
  )
  return (
    <DataGrid
      label={`Result of statement ${index + 1}`}
      columns={columns}
      rowCount={received}
      cellAt={cellAt}
      onResize={(column, width) => setWidths((before) => ({ ...before, [column]: width }))}
      onSelect={({ range }) =>
        onCell(
          range && range.columns === 1 && range.rows === 1
            ? { row: range.row, column: range.column }
            : undefined,
        )
      }
    />
  )
}

/** Postgres prints booleans as one letter. */
export function viewOf(cell: ResultCell, type: string | undefined): CellView {
  const text = textOf(cell)
  if (type === 'bool' && text !== null) return { text: text === 't' ? 'true' : 'false' }
  return isCut(cell) ? { text, cut: true } : { text }
}

const letter = 7.3
const padding = 26

/** Wide enough for the name, its type and what the first rows hold, within limits. */
function widthOf(name: string, type: string, rows: readonly ResultCell[][], at: number): number {
  const head = (name.length + type.length + 1) * 7
  const cells = rows.slice(0, 50).map((row) => (textOf(row[at] ?? null) ?? 'NULL').slice(0, 60))
  const longest = Math.max(0, ...cells.map((text) => text.length * letter))
  return Math.round(Math.min(420, Math.max(80, head + padding, longest + padding)))
}
