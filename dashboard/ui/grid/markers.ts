import {
  markerCellRenderer,
  type InternalCellRenderer,
  type InnerGridCell,
} from '@glideapps/glide-data-grid'
import type { RowState } from './grid-types.ts'
import { mono, type GridColours } from './grid-theme.ts'

const signs: Record<RowState, { sign: string; colour: 'success' | 'danger' | 'warning' }> = {
  new: { sign: '+', colour: 'success' },
  deleted: { sign: '\u2212', colour: 'danger' },
  changed: { sign: '~', colour: 'warning' },
  conflict: { sign: '!', colour: 'danger' },
  refused: { sign: '!', colour: 'danger' },
}

/** The row number, or the sign of what will happen to the row; a box to tick when it is pointed at or ticked. */
export function markerRenderer(
  colours: GridColours,
  stateAt: ((row: number) => RowState | undefined) | undefined,
): InternalCellRenderer<InnerGridCell> {
  const ours: typeof markerCellRenderer = {
    ...markerCellRenderer,
    draw: (args, cell) => {
      const state = stateAt?.(args.row)
      if (!state || cell.checked || args.hoverAmount > 0) return markerCellRenderer.draw(args, cell)
      const { ctx, rect } = args
      ctx.font = `700 13px ${mono}`
      ctx.textAlign = 'center'
      ctx.textBaseline = 'middle'
      ctx.fillStyle = colours[signs[state].colour]
      ctx.fillText(signs[state].sign, rect.x + rect.width / 2, rect.y + rect.height / 2 + 1)
      ctx.textAlign = 'left'
    },
  }
  // The list of renderers is declared for the union of all kinds; each is only ever given its own.
  return ours as unknown as InternalCellRenderer<InnerGridCell>
}
