import type { CellEdit, CellView } from './grid-types.ts'

/** Cells from (x, y) on, as the grid counts them. */
export type Area = { x: number; y: number; width: number; height: number }

type Grid = {
  cellAt: (row: number, column: number) => CellView
  canEdit: (row: number, column: number) => boolean
  loadWhole: ((row: number, column: number) => Promise<string | null>) | undefined
}

/** Large values that are loaded to be drawn over others. */
const maxLoaded = 50

/**
 * The edits of drawing the values of one area over another that holds it: they are repeated over what is not theirs.
 * Cells that cannot be edited are left as they are, and a value of which only the head is here is loaded whole first.
 */
export async function filled(source: Area, into: Area, grid: Grid): Promise<CellEdit[]> {
  const whole = new Map<string, Promise<string | null>>()
  const textOf = (row: number, column: number) => {
    const view = grid.cellAt(row, column)
    if (!view.cut || !grid.loadWhole) return Promise.resolve(view.text)
    const known = whole.get(`${row} ${column}`)
    if (known) return known
    if (whole.size >= maxLoaded) throw new Error('Too many large values to fill with at once')
    const loading = grid.loadWhole(row, column)
    whole.set(`${row} ${column}`, loading)
    return loading
  }
  const edits: Promise<CellEdit>[] = []
  for (let row = into.y; row < into.y + into.height; row++) {
    for (let column = into.x; column < into.x + into.width; column++) {
      if (isIn(source, row, column) || !grid.canEdit(row, column)) continue
      const from = {
        row: source.y + around(row - source.y, source.height),
        column: source.x + around(column - source.x, source.width),
      }
      edits.push(textOf(from.row, from.column).then((text) => ({ row, column, text })))
    }
  }
  return Promise.all(edits)
}

const isIn = ({ x, y, width, height }: Area, row: number, column: number) =>
  row >= y && row < y + height && column >= x && column < x + width

/** The remainder that is never negative: what is filled may lie above or left of where it comes from. */
const around = (value: number, size: number) => ((value % size) + size) % size
