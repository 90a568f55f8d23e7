import type { CustomCell } from '@glideapps/glide-data-grid'
import type { GridColours } from './grid-theme.ts'
import type { CellView, Choice, ColumnView } from './grid-types.ts'
import type { TypeAhead } from './type-ahead.ts'

export type OurData = {
  view: CellView
  column: ColumnView
  colours: GridColours
  deleted: boolean
  load: (() => Promise<string | null>) | undefined
  typeAhead: TypeAhead
  expand: (() => void) | undefined
  /** What other cells of the row get with a value that was chosen. */
  others?: Choice['others']
}
export type OurCell = CustomCell<OurData>

export const withText = (
  cell: OurCell,
  text: string | null,
  others?: Choice['others'],
): OurCell => ({
  ...cell,
  copyData: text ?? '',
  data: { ...cell.data, view: { text }, others },
})
