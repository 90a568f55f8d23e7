import type { CustomCell } from '@glideapps/glide-data-grid'
import type { GridColours } from './colours.ts'
import type { CellView, ColumnView } from './grid-types.ts'
import type { TypeAhead } from './type-ahead.ts'

export type OurData = {
  view: CellView
  column: ColumnView
  colours: GridColours
  deleted: boolean
  load: (() => Promise<string | null>) | undefined
  typeAhead: TypeAhead
  expand: (() => void) | undefined
}
export type OurCell = CustomCell<OurData>

export const withText = (cell: OurCell, text: string | null): OurCell => ({
  ...cell,
  copyData: text ?? '',
  data: { ...cell.data, view: { text } },
})
