import {
  markerCellRenderer,
  type DrawHeaderCallback,
  type InnerGridCell,
  type InternalCellRenderer,
} from '@glideapps/glide-data-grid'
import type { CellView, ColumnView, RowState } from './grid-types.ts'
import { mono, sans, type GridColours } from './grid-theme.ts'

type Rect = { x: number; y: number; width: number; height: number }
type Place = {
  ctx: CanvasRenderingContext2D
  rect: Rect
  colours: GridColours
  right: boolean
  deleted: boolean
  /** It refers to a row somewhere else; an arrow leads there. */
  link: boolean
}

/** Pixels at the right end of a cell that the arrow takes. */
export const linkWidth = 22

const padding = 8
/** Lucide: arrow-up-right. */
const arrowIcon = 'M7 7h10v10M7 17 17 7'
const plainFont = `12px ${mono}`
const italicFont = `italic 12px ${mono}`
let charWidth = 0

/** What stands in a cell: the value on one line, or in faint italics what there is instead of one. */
export function cellText({ text, look }: CellView): { text: string; faint: boolean } {
  if (look === 'auto') return { text: 'auto', faint: true }
  if (text === null) return { text: 'NULL', faint: true }
  if (text === '') return { text: 'EMPTY', faint: true }
  return { text, faint: false }
}

/** Cuts to what fits, on one line. The font has one width, so counting is enough. */
export function fit(text: string, characters: number): string {
  const line = text.slice(0, characters + 1).replace(/\s/g, ' ')
  return line.length <= characters && text.length <= characters
    ? line
    : `${line.slice(0, Math.max(1, characters - 1))}…`
}

export function drawCell(view: CellView, place: Place): void {
  const { ctx, colours, right, deleted } = place
  const arrow = place.link && view.text !== null && view.look === undefined
  const rect = place.link ? { ...place.rect, width: place.rect.width - linkWidth } : place.rect
  const shown = cellText(view)
  ctx.font = shown.faint ? italicFont : plainFont
  // Ligatures would turn >= into one sign; any spacing switches them off.
  ctx.letterSpacing = '0.01px'
  if (charWidth === 0) charWidth = ctx.measureText('0').width || 7.2
  const line = fit(shown.text, Math.floor((rect.width - 2 * padding) / charWidth))
  const middle = rect.y + rect.height / 2 + 1
  const x = right ? rect.x + rect.width - padding : rect.x + padding
  ctx.textAlign = right ? 'right' : 'left'
  ctx.textBaseline = 'middle'
  ctx.fillStyle = shown.faint || deleted ? colours.faint : colours.text
  ctx.fillText(line, x, middle)
  if (deleted) {
    const width = ctx.measureText(line).width
    ctx.fillStyle = colours.danger
    ctx.fillRect(right ? x - width : x, Math.round(middle) - 1, width, 1)
  }
  if (view.state === 'changed') {
    ctx.fillStyle = colours.warningMark
    ctx.fillRect(rect.x, rect.y, 2, rect.height)
  }
  if (view.state === 'conflict') drawConflict(ctx, place.rect, colours)
  if (view.state === 'refused') drawEdge(ctx, place.rect, colours)
  if (arrow)
    drawIcon(ctx, arrowIcon, place.rect.x + place.rect.width - 19, middle - 7, colours.faint)
  ctx.textAlign = 'left'
  ctx.letterSpacing = '0px'
}

/** Hatched at 135 degrees, with an edge. */
function drawConflict(ctx: CanvasRenderingContext2D, rect: Rect, colours: GridColours): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 2)
  ctx.clip()
  ctx.globalAlpha = 0.35
  ctx.strokeStyle = colours.danger
  ctx.lineWidth = 3
  ctx.beginPath()
  for (let at = rect.x - rect.height; at < rect.x + rect.width; at += 10) {
    ctx.moveTo(at, rect.y + rect.height)
    ctx.lineTo(at + rect.height, rect.y)
  }
  ctx.stroke()
  ctx.restore()
  drawEdge(ctx, rect, colours)
}

function drawEdge(ctx: CanvasRenderingContext2D, rect: Rect, colours: GridColours): void {
  ctx.strokeStyle = colours.danger
  ctx.lineWidth = 1
  ctx.strokeRect(rect.x + 0.5, rect.y + 0.5, rect.width - 1, rect.height - 1)
}

/** An outline on a 24 grid at half its size. */
function drawIcon(
  ctx: CanvasRenderingContext2D,
  path: string,
  x: number,
  y: number,
  colour: string,
) {
  ctx.save()
  ctx.translate(x, y)
  ctx.scale(0.5, 0.5)
  ctx.strokeStyle = colour
  ctx.lineWidth = 2
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.stroke(new Path2D(path))
  ctx.restore()
}

/** Outlines on a 24 grid, drawn like the icons of the rest (Lucide: key-round, link, lock, arrow-up, arrow-down). */
const headIcons = {
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
