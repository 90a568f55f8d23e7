/** One cell as the grid shows it. */
export type CellView = {
  /** As the database prints it; null is NULL. */
  text: string | null
  /** `auto`: the database will fill it in. */
  look?: 'auto' | undefined
  /** `refused`: the database did not take it. */
  state?: 'changed' | 'conflict' | 'refused' | undefined
  /** Only the head of a value that is too large for a list. */
  cut?: boolean | undefined
}

export type EditorKind =
  | 'text'
  | 'number'
  | 'bool'
  | 'choice'
  | 'json'
  | 'date'
  | 'time'
  | 'moment'
  | 'uuid'
  | 'list'
  | 'bytes'

/** A row that a column may refer to. */
export type Choice = {
  value: string
  detail: string
  /** What the other columns of a key of several get with it, by their names. */
  others?: Readonly<Record<string, string>> | undefined
}

/** Values that another table has for a column, as a person looks for them. */
export type Lookup = (
  typed: string,
  from: string | undefined,
  signal: AbortSignal,
) => Promise<{
  found: Choice[]
  next: string | undefined
  /** What was not looked at. */
  note?: string | undefined
}>

export type ColumnView = {
  id: string
  name: string
  /** Faint, after the name: `int8`. */
  type: string
  width: number
  /** Right-aligned. */
  numeric: boolean
  mark?: 'key' | 'link' | 'lock' | undefined
  sorted?: 'asc' | 'desc' | undefined
  /** Undefined: its cells cannot be edited. */
  editor?: EditorKind | undefined
  nullable?: boolean | undefined
  /** Why something is no value of it, as far as that is certain; null is NULL. */
  problem?: ((text: string | null) => string | undefined) | undefined
  /** The values of an enum. */
  choices?: readonly string[] | undefined
  /** What its head says when it is pointed at. */
  tip?: string | undefined
  /** Why its cells cannot be edited, when the others can. */
  locked?: string | undefined
  lookup?: Lookup | undefined
}

/** Where something is on the screen, in pixels of the window. */
export type Place = { x: number; y: number; width: number; height: number }

export type RowState = 'new' | 'deleted' | 'changed' | 'conflict' | 'refused'

/** What somebody did to give cells their values. */
export type EditKind = 'typed' | 'pasted' | 'filled'

export type CellAt = { row: number; column: number }
export type CellEdit = CellAt & {
  text: string | null
  /** Cells of the same row that change with it, by the names of their columns. */
  others?: Choice['others']
}

/** What is selected: cells from (column, row) on, and whole rows. */
export type SelectionView = {
  range: { column: number; row: number; columns: number; rows: number } | undefined
  rows: readonly number[]
  /** Whole columns. */
  columns?: readonly number[]
}

export type DataGridProps = {
  /** What it shows, for screen readers. */
  label: string
  columns: readonly ColumnView[]
  rowCount: number
  /** A new function whenever what it answers has changed. */
  cellAt: (row: number, column: number) => CellView
  rowStateAt?: ((row: number) => RowState | undefined) | undefined
  /** Number of the first row. */
  firstNumber?: number
  /** Rows can be ticked. */
  selectRows?: boolean
  onSelect?: (selection: SelectionView) => void
  /** Nothing is selected any more when this changes: give it what the rows come from. */
  selectionKey?: unknown
  /** All edits of one action (a paste makes many) at once. Without it the grid is read-only. */
  onEdit?: ((edits: CellEdit[], how: EditKind) => void) | undefined
  /** Cells are to hold nothing any more. */
  onEmpty?: ((cells: CellAt[]) => void) | undefined
  /** Scrolls to this cell; a new object scrolls again. */
  reveal?: CellAt | undefined
  loadWhole?: ((row: number, column: number) => Promise<string | null>) | undefined
  /** A head was clicked; `also` (Shift) keeps the columns that the rows are sorted by already. */
  onSort?: ((column: number, also: boolean) => void) | undefined
  onResize?: ((column: number, width: number) => void) | undefined
  /** A column was dragged to another place. */
  onMove?: ((from: number, to: number) => void) | undefined
  /** Columns at the left that do not scroll. */
  frozen?: number | undefined
  /** A menu is asked for. With menus whole columns can be chosen, too: Ctrl and a click on a head. */
  onHeadMenu?: ((column: number, place: Place) => void) | undefined
  onCellMenu?: ((row: number, column: number, place: Place) => void) | undefined
  /** A column is to be added behind the last one; or why that cannot be. */
  addColumn?: { deniedBecause: string | undefined; onAdd: () => void } | undefined
  /** The rows that are ticked are to be deleted. */
  onDeleteRows?: ((rows: readonly number[]) => void) | undefined
  /** Why the cells of a row cannot be edited, when those of others can. */
  rowLockedAt?: ((row: number) => string | undefined) | undefined
  /** Somebody tried to edit a cell of a column or a row that is locked. */
  onLocked?: ((cell: CellAt) => void) | undefined
  /** Shows a value on a panel of its own. */
  onExpand?: ((row: number, column: number) => void) | undefined
  /** Shows the row that a cell refers to. */
  onPeek?: ((row: number, column: number) => void) | undefined
  /** Says what could not be done. */
  onProblem?: ((message: string) => void) | undefined
}
