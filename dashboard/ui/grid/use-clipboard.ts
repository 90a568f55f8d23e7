import { useEffect, type RefObject } from 'react'
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

/** Cells as spreadsheets put them on the clipboard: tabs between, quotes around what needs them. */
type Block = (string | null)[][]

const needsQuotes = /["\t\r\n]/

/** NULL is nothing at all, empty text a pair of quotes: spreadsheets show both as empty, and we tell them apart. */
const written = (value: string | null): string => {
  if (value === null) return ''
  return value === '' || needsQuotes.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** One cell goes out as it is, since it is pasted into texts more often than into tables. */
export function writeBlock(block: Block): string {
  const [first] = block
  if (block.length === 1 && first?.length === 1) return first[0] ?? ''
  return block.map((row) => row.map(written).join('\t')).join('\n')
}

/** Reads what spreadsheets, editors and `writeBlock` wrote. What is not quoted and empty is NULL. */
export function readBlock(text: string): Block {
  const block: Block = []
  let row: (string | null)[] = []
  let at = 0
  // The last line's end is no further row.
  const end = text.endsWith('\r\n') ? text.length - 2 : text.length - (text.endsWith('\n') ? 1 : 0)
  while (at <= end) {
    const { value, next } = readCell(text, at, end)
    row.push(value)
    if (next < end && text[next] === '\t') at = next + 1
    else {
      block.push(row)
      row = []
      if (next >= end) break
      at = next + (text.startsWith('\r\n', next) ? 2 : 1)
    }
  }
  return block
}

function readCell(text: string, at: number, end: number): { value: string | null; next: number } {
  if (text[at] === '"') {
    const quoted = readQuoted(text, at, end)
    if (quoted) return quoted
  }
  let next = at
  while (next < end && text[next] !== '\t' && text[next] !== '\n' && !text.startsWith('\r\n', next))
    next += 1
  return { value: next === at ? null : text.slice(at, next), next }
}

/** Undefined when it is not a cell in quotes after all, but text that begins with one. */
function readQuoted(text: string, at: number, end: number) {
  let value = ''
  let from = at + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close === -1 || close >= end) return undefined
    value += text.slice(from, close)
    if (text[close + 1] === '"' && close + 1 < end) {
      value += '"'
      from = close + 2
      continue
    }
    const next = close + 1
    const ends =
      next >= end || text[next] === '\t' || text[next] === '\n' || text.startsWith('\r\n', next)
    return ends ? { value, next } : undefined
  }
}

/**
 * A block laid over a selection: a single value fills it, and a block that fits into it a whole number of times is
 * repeated; else the block is laid once at its corner.
 */
export function laid(block: Block, size: { columns: number; rows: number }): Block {
  const rows = block.length
  const columns = Math.max(0, ...block.map((row) => row.length))
  if (rows === 0 || columns === 0) return []
  const fits = size.rows % rows === 0 && size.columns % columns === 0
  const height = fits ? size.rows : rows
  const width = fits ? size.columns : columns
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_cell, column) => block[row % rows]?.[column % columns] ?? null),
  )
}
