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
