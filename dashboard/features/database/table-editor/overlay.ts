import type { Place } from '../../../ui/grid/grid-types.ts'
import type { CellPlace } from './grid/TableGrid.tsx'

/** What lies over or beside the rows; one thing at a time. */
export type Overlay =
  | { kind: 'review' }
  | { kind: 'insert' }
  | { kind: 'row'; row: number }
  | { kind: 'duplicate'; row: number }
  | { kind: 'cell'; cell: CellPlace }
  | { kind: 'file'; cell: CellPlace }
  | { kind: 'peek'; cell: CellPlace }
  | { kind: 'json'; rows: readonly number[] }
  | { kind: 'head-menu'; column: number; place: Place }
  | { kind: 'cell-menu'; cell: CellPlace; place: Place }
  | { kind: 'column'; name: string | undefined }
  | { kind: 'drop-column'; name: string }
  | { kind: 'import' }
  | { kind: 'delete-matching' }
