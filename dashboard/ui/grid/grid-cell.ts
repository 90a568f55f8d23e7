import { GridCellKind, type CustomRenderer, type GridCell } from '@glideapps/glide-data-grid'
import { CellEditor } from './CellEditor.tsx'
import type { OurCell, OurData } from './cell-value.ts'
import { drawCell } from './draw-cell.ts'

/** Every cell is of one kind: text as the database prints it. Copying a NULL copies nothing. */
export function gridCell(data: OurData, editable: boolean): OurCell {
  const { view, column, colours } = data
  const changed =
    view.state === 'changed'
      ? { bgCell: colours.warningSoft }
      : view.state === 'refused'
        ? { bgCell: colours.dangerSoft }
        : undefined
  return {
    kind: GridCellKind.Custom,
    data,
    allowOverlay: editable,
    readonly: !editable,
    copyData: view.text ?? '',
    contentAlign: column.numeric ? 'right' : 'left',
    ...(changed ? { themeOverride: changed } : {}),
  }
}

/**
 * In the place of a column that is gone: the grid describes itself to assistive technology a moment later than it draws,
 * and then asks for the columns that it had.
 */
export const goneCell: GridCell = { kind: GridCellKind.Loading, allowOverlay: false }

export const isOurs = (cell: GridCell): cell is OurCell => cell.kind === GridCellKind.Custom

export const renderer: CustomRenderer<OurCell> = {
  kind: GridCellKind.Custom,
  isMatch: (cell): cell is OurCell => 'view' in cell.data,
  draw: ({ ctx, rect }, { data: { view, column, colours, deleted } }) =>
    drawCell(view, {
      ctx,
      rect,
      colours,
      right: column.numeric,
      deleted,
      link: column.mark === 'link',
    }),
  measure: (ctx, { data: { view } }) =>
    ctx.measureText((view.text ?? 'NULL').slice(0, 80)).width + 16,
  provideEditor: () => ({ editor: CellEditor, disablePadding: true, disableStyling: true }),
  onPaste: (text, data) => ({ ...data, view: { text } }),
}
