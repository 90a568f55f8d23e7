import { useEffect, type RefObject } from 'react'
import { laid, readBlock, writeBlock, type Block } from './tsv.ts'
import type { CellAt, CellEdit, CellView, SelectionView } from './grid-types.ts'

type Grid = {
  columns: number
  rowCount: number
  selection: SelectionView
  cellAt: (row: number, column: number) => CellView
  loadWhole: ((row: number, column: number) => Promise<string | null>) | undefined
  canEdit: (row: number, column: number) => boolean
  onEdit: ((edits: CellEdit[], how: 'pasted') => void) | undefined
  onEmpty: ((cells: CellAt[]) => void) | undefined
  /** What could not be done, to be told. */
  onProblem: ((message: string) => void) | undefined
}

/** Values that are loaded to be copied whole. */
const maxLoaded = 200

const span = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

/** The rows and columns that a selection covers: ticked rows, chosen columns, or the range. */
export function covered({
  selection,
  columns,
  rowCount,
}: Pick<Grid, 'selection' | 'columns' | 'rowCount'>) {
  if (selection.rows.length > 0) return { rows: [...selection.rows], columns: span(0, columns) }
  const chosen = selection.columns ?? []
  if (chosen.length > 0) return { rows: span(0, rowCount), columns: [...chosen] }
  const { range } = selection
  if (!range) return undefined
  return {
    rows: span(range.row, Math.min(range.rows, rowCount - range.row)),
    columns: span(range.column, range.columns),
  }
}

/** The edits of a paste. Rows beyond the last one are new ones; columns beyond the last one are left out. */
export function pasted(
  block: Block,
  grid: Pick<Grid, 'selection' | 'columns' | 'rowCount' | 'canEdit'>,
): CellEdit[] {
  const area = covered(grid)
  const [row] = area?.rows ?? []
  const [column] = area?.columns ?? []
  if (!area || row === undefined || column === undefined) return []
  const values = laid(block, { rows: area.rows.length, columns: area.columns.length })
  return values.flatMap((texts, down) =>
    texts.flatMap((text, right) => {
      const place = {
        row: area.rows[down] ?? row + down,
        column: area.columns[right] ?? column + right,
      }
      return place.column < grid.columns && grid.canEdit(place.row, place.column)
        ? [{ ...place, text }]
        : []
    }),
  )
}

/** The cells of what is selected that can be edited. */
export function emptied(
  grid: Pick<Grid, 'selection' | 'columns' | 'rowCount' | 'canEdit'>,
): CellAt[] {
  const { rows, columns } = covered(grid) ?? { rows: [], columns: [] }
  return rows.flatMap((row) =>
    columns.flatMap((column) => (grid.canEdit(row, column) ? [{ row, column }] : [])),
  )
}

/** Blocks of cells to and from the clipboard, while the grid has the focus and no editor is open in it. */
export function useClipboard(box: RefObject<HTMLElement | null>, grid: Grid): void {
  useEffect(() => {
    const isOurs = () => {
      const focused = document.activeElement
      return focused !== null && box.current?.contains(focused) === true
    }
    function copy(event: ClipboardEvent, cut: boolean) {
      const area = isOurs() ? covered(grid) : undefined
      if (!area) return
      event.preventDefault()
      const views = area.rows.map((row) => area.columns.map((column) => grid.cellAt(row, column)))
      const isCut = views.some((row) => row.some((view) => view.cut))
      if (isCut) copyWhole(grid, area).catch((error: unknown) => problem(grid, error))
      else
        event.clipboardData?.setData(
          'text/plain',
          writeBlock(views.map((row) => row.map(({ text }) => text))),
        )
      if (cut && grid.onEmpty) grid.onEmpty(emptied(grid))
    }
    const onCopy = (event: ClipboardEvent) => copy(event, false)
    const onCut = (event: ClipboardEvent) => copy(event, true)
    function onPaste(event: ClipboardEvent) {
      if (!isOurs() || !grid.onEdit) return
      const text = event.clipboardData?.getData('text/plain')
      if (text === undefined) return
      event.preventDefault()
      const edits = pasted(readBlock(text), grid)
      if (edits.length > 0) grid.onEdit(edits, 'pasted')
      else grid.onProblem?.('Nothing was pasted: choose a cell that can be edited first')
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCut)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCut)
      document.removeEventListener('paste', onPaste)
    }
  })
}

const problem = ({ onProblem }: Grid, error: unknown) =>
  onProblem?.(error instanceof Error ? error.message : 'The cells could not be copied')

/** Values of which only the head is here are loaded; the clipboard waits for them. */
async function copyWhole(grid: Grid, { rows, columns }: { rows: number[]; columns: number[] }) {
  let loaded = 0
  const whole = async (row: number, column: number): Promise<string | null> => {
    const view = grid.cellAt(row, column)
    if (!view.cut || !grid.loadWhole) return view.text
    loaded += 1
    if (loaded > maxLoaded)
      throw new Error('Too many large values to copy at once: export them instead')
    return grid.loadWhole(row, column)
  }
  const block = Promise.all(
    rows.map((row) => Promise.all(columns.map((column) => whole(row, column)))),
  )
  const text = block.then((values) => new Blob([writeBlock(values)], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
}
