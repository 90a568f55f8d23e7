import type { Column } from '#contract/pg-meta-shapes'
import type { SelectionView } from '../../ui/grid/grid-types.ts'
import { isNumeric } from './grid-columns.ts'
import type { TableModel } from './table-model.ts'
import { numberText } from '../../ui/number.ts'

/** Beyond this many cells adding up would be felt. */
const mostCells = 100_000

/** Count, and for numbers sum and mean, of a selection of more than one cell. */
export function rangeFigures(
  { range }: SelectionView,
  model: Pick<TableModel, 'cellAt' | 'rowCount'>,
  columns: readonly Column[],
): [string, string][] | undefined {
  if (!range) return undefined
  const cells = range.columns * range.rows
  if (cells < 2) return undefined
  const figures: [string, string][] = [['Cells', numberText(cells)]]
  if (cells > mostCells) return figures
  const numbers: number[] = []
  for (let at = range.column; at < range.column + range.columns; at += 1) {
    const column = columns[at]
    if (!column || !isNumeric(column)) continue
    for (let row = range.row; row < Math.min(model.rowCount, range.row + range.rows); row += 1) {
      const { text } = model.cellAt(row, at)
      const value = text === null || text === '' ? Number.NaN : Number(text)
      if (Number.isFinite(value)) numbers.push(value)
    }
  }
  if (numbers.length === 0) return figures
  const sum = numbers.reduce((total, value) => total + value, 0)
  return [...figures, ['Sum', shown(sum)], ['Avg', shown(sum / numbers.length)]]
}

const shown = (value: number) => numberText(value, 4)
