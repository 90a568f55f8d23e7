import type { Column } from '#contract/database/pg-meta-shapes'
import type { SelectionView } from '../../../../ui/grid/grid-types.ts'
import { isNumeric } from './grid-columns.ts'
import type { TableModel } from '../table-model.ts'
import { numberText } from '../../../../ui/text/number.ts'

/** A number as Postgres writes it, exactly: `digits` / 10^`scale`. */
type Decimal = { digits: bigint; scale: number }

/** Beyond this a text such as `1e300` would be written out in full. */
const maxZeros = 400

/** Undefined for what is no finite number. */
export function decimalOf(text: string): Decimal | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\s*$/.exec(text) ?? []
  if (whole === '' && part === '') return undefined
  const scale = part.length - Number(power)
  if (Math.abs(scale) > maxZeros) return undefined
  const digits = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

const raised = ({ digits, scale }: Decimal, to: number) => digits * 10n ** BigInt(to - scale)

export function sumOf(numbers: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...new Set(numbers.map((one) => one.scale)))
  return { digits: numbers.reduce((sum, one) => sum + raised(one, scale), 0n), scale }
}

/** Rounded half away from zero, as Postgres rounds `numeric`, to that many decimals. */
export function dividedBy(number: Decimal, by: number, decimals: number): Decimal {
  const scale = Math.max(number.scale, decimals)
  const divisor = BigInt(by) * 10n ** BigInt(scale - decimals)
  const dividend = raised(number, scale)
  const half = dividend < 0n ? -divisor : divisor
  return { digits: (2n * dividend + half) / (2n * divisor), scale: decimals }
}

/** `-12,345.6`: with commas, every decimal that is not a zero at the end. */
export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = all.slice(0, all.length - scale)
  const part = all.slice(all.length - scale).replace(/0+$/, '')
  return sign + whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (part && `.${part}`)
}

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
