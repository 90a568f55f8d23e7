import type { Column } from '#contract/database/pg-meta-shapes'
import type { SelectionView } from '../../../../ui/grid/grid-types.ts'
import { isNumeric } from './grid-columns.ts'
import type { TableModel } from '../table-model.ts'
import { decimalOf, decimalText, dividedBy, sumOf, type Decimal } from '../values/decimal.ts'
import { numberText } from '../../../../ui/text/number.ts'

/** Beyond this many cells adding up would be felt. */
const maxCells = 100_000

/** Count, and for numbers exact sum, mean and how many cells had none, of a selection of more than one cell. */
export function rangeFigures(
  { range }: SelectionView,
  model: Pick<TableModel, 'cellAt' | 'rowCount'>,
  columns: readonly Column[],
): [string, string][] | undefined {
  if (!range) return undefined
  const cells = range.columns * range.rows
  if (cells < 2) return undefined
  const figures: [string, string][] = [['Cells', numberText(cells)]]
  if (cells > maxCells) return figures
  const numbers: Decimal[] = []
  let empty = 0
  let others = 0
  for (let at = range.column; at < range.column + range.columns; at += 1) {
    const column = columns[at]
    if (!column || !isNumeric(column)) continue
    for (let row = range.row; row < Math.min(model.rowCount, range.row + range.rows); row += 1) {
      const { text } = model.cellAt(row, at)
      const number = text === null ? undefined : decimalOf(text)
      if (number) numbers.push(number)
      else if (text === null || text === '') empty += 1
      else others += 1
    }
  }
  if (numbers.length === 0) return figures
  const sum = sumOf(numbers)
  figures.push(
    ['Sum', decimalText(sum)],
    ['Avg', decimalText(dividedBy(sum, numbers.length, meanDecimals))],
  )
  if (empty > 0) figures.push(['NULL', numberText(empty)])
  if (others > 0) figures.push(['Not finite', numberText(others)])
  return figures
}

const meanDecimals = 4
