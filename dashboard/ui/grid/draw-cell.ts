import type { CellView } from './grid-types.ts'
import { mono, type GridColours } from './grid-theme.ts'

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
export function drawIcon(
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
