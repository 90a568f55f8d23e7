import type { DrawHeaderCallback } from '@glideapps/glide-data-grid'
import { drawIcon } from './draw-cell.ts'
import type { ColumnView } from './grid-types.ts'
import { mono, sans, type GridColours } from './grid-theme.ts'

/** Outlines on a 24 grid, drawn like the icons of the rest (Lucide: key-round, link, lock, arrow-up, arrow-down). */
export const headIcons = {
  key: 'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z',
  link: 'M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71',
  lock: 'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM7 11V7a5 5 0 0 1 10 0v4',
  asc: 'm5 12 7-7 7 7M12 19V5',
  desc: 'M12 5v14m7-7-7 7-7-7',
}
const moreIcon = 'm6 9 6 6 6-6'
/** Pixels at the right end of a head that open its menu. */
export const headMenuWidth = 24

const nameFont = `500 12px ${sans}`
const typeFont = `11px ${mono}`

/** Mark, name, faint type, and the sort arrow at the right end. */
export const drawHead =
  (columns: readonly ColumnView[], colours: GridColours, menus: boolean): DrawHeaderCallback =>
  ({ ctx, columnIndex, rect, isHovered }, drawContent) => {
    const column = columns[columnIndex]
    if (!column) return drawContent()
    const middle = rect.y + rect.height / 2 + 1
    const menu = menus && isHovered
    const right = rect.x + rect.width - (menu ? headMenuWidth : 8)
    const end = right - (column.sorted ? 16 : 0)
    let x = rect.x + 8
    ctx.textAlign = 'left'
    ctx.textBaseline = 'middle'
    if (column.mark) {
      drawIcon(ctx, headIcons[column.mark], x, middle - 7, colours.faint)
      x += 18
    }
    x = drawText(ctx, column.name, nameFont, colours.text, x, middle, end)
    drawText(ctx, column.type, typeFont, colours.faint, x + 6, middle, end)
    if (column.sorted) drawIcon(ctx, headIcons[column.sorted], end + 4, middle - 7, colours.muted)
    if (menu) drawIcon(ctx, moreIcon, rect.x + rect.width - 18, middle - 7, colours.muted)
    return undefined
  }

function drawText(
  ctx: CanvasRenderingContext2D,
  text: string,
  font: string,
  colour: string,
  x: number,
  y: number,
  end: number,
): number {
  if (x >= end) return x
  ctx.font = font
  ctx.fillStyle = colour
  let shown = text
  while (shown.length > 1 && x + ctx.measureText(shown).width > end) {
    shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
  }
  ctx.fillText(shown, x, y)
  return x + ctx.measureText(shown).width
}
