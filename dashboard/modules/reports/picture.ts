import type { Chart } from '#contract/observability/report-charts'
import type { ReportAnswer } from '#contract/observability/reports'
import { colourOf } from './figures.ts'

type Shown = {
  chart: Chart
  data: ReportAnswer
  earlier: ReportAnswer | undefined
  /** Which time it is of, in words. */
  about: string
}
type Key = { name: string; variable: string; isDashed: boolean }

const keysOf = ({ data, earlier }: Shown): Key[] => [
  ...data.series.map(({ name }, at) => ({ name, variable: colourOf(at), isDashed: false })),
  ...(earlier ? [{ name: 'Before', variable: '--text-muted', isDashed: true }] : []),
]

const edge = 16
const line = 22

/** A picture of a drawn chart, with what stands around it: title, time and the names of its lines. */
export async function pictureOf(drawn: HTMLCanvasElement, shown: Shown): Promise<Blob> {
  const { chart, about } = shown
  const keys = keysOf(shown)
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const font = colour('--font-text') || 'sans-serif'
  const scale = window.devicePixelRatio || 1
  const width = drawn.width / scale + edge * 2
  const rows = Math.ceil(keys.length / 3)
  const height = drawn.height / scale + edge * 3 + line * (2 + rows)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw a picture')
  context.scale(scale, scale)
  context.fillStyle = colour('--surface-1') || '#fff'
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'top'
  context.fillStyle = colour('--text')
  context.font = `600 15px ${font}`
  context.fillText(chart.title, edge, edge, width - edge * 2)
  context.fillStyle = colour('--text-muted')
  context.font = `12px ${font}`
  context.fillText(about, edge, edge + line, width - edge * 2)
  context.drawImage(drawn, edge, edge * 1.5 + line * 2, drawn.width / scale, drawn.height / scale)
  const foot = height - edge - rows * line + 4
  keys.forEach(({ name, variable, isDashed }, at) => {
    const x = edge + (at % 3) * ((width - edge * 2) / 3)
    const y = foot + Math.floor(at / 3) * line
    context.fillStyle = colour(variable)
    context.fillRect(x, y + (isDashed ? 6 : 2), 10, isDashed ? 2 : 10)
    context.fillStyle = colour('--text')
    context.fillText(name, x + 16, y, (width - edge * 2) / 3 - 20)
  })
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made'))),
      'image/png',
    ),
  )
}
