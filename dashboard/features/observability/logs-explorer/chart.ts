import type { SqlAnswer } from '#contract/observability/logs'
import { kindOf, lineOf, microsOf } from './result.ts'

export type LogChart = {
  /** The name of the column of times. */
  time: string
  /** Seconds since 1970, upwards. */
  x: number[]
  series: { name: string; values: (number | null)[] }[]
}

/** More lines than this nobody tells apart. */
const most = 5

/**
 * A result over time: a line for each column of numbers, or for each value of a column of texts where there is one column of
 * numbers. Undefined: it has no times or no numbers.
 */
export function chartOf({ columns, rows }: SqlAnswer): LogChart | undefined {
  const kinds = columns.map((_, at) => kindOf({ rows }, at))
  const time = kinds.indexOf('time')
  const numbers = kinds.flatMap((kind, at) => (kind === 'number' ? [at] : []))
  const texts = kinds.flatMap((kind, at) => (kind === 'text' ? [at] : []))
  const [number] = numbers
  if (time < 0 || number === undefined) return undefined
  const points = rows.flatMap((row) => {
    const micros = microsOf(row[time])
    return micros === undefined ? [] : [{ second: micros / 1e6, row }]
  })
  const x = [...new Set(points.map(({ second }) => second))].sort((a, b) => a - b)
  const place = new Map(x.map((second, at) => [second, at]))
  const drawn = (name: string, column: number, of: typeof points) => {
    const values: (number | null)[] = x.map(() => null)
    for (const { second, row } of of) {
      const value = row[column]
      const at = place.get(second)
      // Rows of the same moment are one point.
      if (at !== undefined && typeof value === 'number') values[at] = (values[at] ?? 0) + value
    }
    return { name, values }
  }
  const [text] = texts
  const name = columns[time] ?? ''
  if (text === undefined || texts.length > 1 || numbers.length > 1)
    return {
      time: name,
      x,
      series: numbers.slice(0, most).map((at) => drawn(columns[at] ?? '', at, points)),
    }
  const groups = new Map<string, typeof points>()
  for (const point of points) {
    const label = lineOf(point.row[text])
    groups.set(label, [...(groups.get(label) ?? []), point])
  }
  const sum = (of: typeof points) =>
    of.reduce((all, { row }) => all + (typeof row[number] === 'number' ? row[number] : 0), 0)
  const largest = [...groups].sort(([, a], [, b]) => sum(b) - sum(a)).slice(0, most)
  return { time: name, x, series: largest.map(([label, of]) => drawn(label, number, of)) }
}
