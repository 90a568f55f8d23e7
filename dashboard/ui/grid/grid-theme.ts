import type { Theme } from '@glideapps/glide-data-grid'
import type { GridColours } from './colours.ts'

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
