import type { Theme } from '@glideapps/glide-data-grid'

export const rowHeight = 28
export const headHeight = 32
export const gutterWidth = 44

export const mono = "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace"
export const sans = "'Inter Variable', Inter, system-ui, sans-serif"

/** The grid's own theme from our tokens (look: "Grid cells"). */
export const gridTheme = (c: GridColours): Partial<Theme> => ({
  accentColor: c.accentLine,
  accentFg: c.onAccent,
  accentLight: c.accentSoft,
  textDark: c.text,
  textMedium: c.muted,
  textLight: c.faint,
  textBubble: c.text,
  bgIconHeader: c.faint,
  fgIconHeader: c.surface2,
  textHeader: c.text,
  textHeaderSelected: c.text,
  bgCell: c.surface1,
  bgCellMedium: c.surface1,
  bgHeader: c.surface2,
  bgHeaderHasFocus: c.surface2,
  bgHeaderHovered: c.surface3,
  borderColor: c.line,
  horizontalBorderColor: c.line,
  headerBottomBorderColor: c.line,
  resizeIndicatorColor: c.accentLine,
  cellHorizontalPadding: 8,
  cellVerticalPadding: 4,
  headerFontStyle: '500 12px',
  headerIconSize: 12,
  baseFontStyle: '12px',
  markerFontStyle: '11px',
  editorFontSize: '12px',
  fontFamily: mono,
  lineHeight: 1.4,
  checkboxMaxSize: 14,
  roundingRadius: 3,
})

/** The tokens that the canvas needs, as colours that every drawing function understands. */
export type GridColours = Record<keyof typeof sources, string>

const tint = (soft: string) => `color-mix(in oklab, var(${soft}) 62%, var(--surface-1))`
const sources = {
  surface1: 'var(--surface-1)',
  surface2: 'var(--surface-2)',
  surface3: 'var(--surface-3)',
  field: 'var(--field)',
  line: 'var(--line)',
  text: 'var(--text)',
  muted: 'var(--text-muted)',
  faint: 'var(--text-faint)',
  accent: 'var(--accent)',
  accentSoft: 'var(--accent-soft)',
  accentLine: 'var(--accent-line)',
  onAccent: 'var(--on-accent)',
  warning: 'var(--warning)',
  warningSoft: 'var(--warning-soft)',
  warningMark: 'var(--warning-mark)',
  success: 'var(--success)',
  danger: 'var(--danger)',
  dangerSoft: 'var(--danger-soft)',
  newRow: tint('--success-soft'),
  deletedRow: tint('--danger-soft'),
}

/** Reads the tokens of the theme that is painted now. */
export function readColours(): GridColours {
  const probe = document.createElement('span')
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  document.body.append(probe)
  const read = (source: string): string => {
    probe.style.color = source
    if (!context) return '#808080'
    // Painted and read back: the grid only understands rgb, the tokens are oklch.
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
    return `rgb(${r}, ${g}, ${b})`
  }
  const colours = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, read(source)]),
  )
  probe.remove()
  // Made from the very keys of the type.
  return colours as GridColours
}
