import type { SqlAnswer } from '#contract/observability/logs'

export type ColumnKind = 'time' | 'number' | 'text' | 'object'

/** Microseconds of the years 2001 to 2286. Whole numbers of that size are times: the older dialect answers them so. */
const isMicros = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1e15 && value < 1e16
const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/
const isIso = (value: unknown) => typeof value === 'string' && iso.test(value)

/** What a column holds, by all of its values. */
export function kindOf({ rows }: Pick<SqlAnswer, 'rows'>, column: number): ColumnKind {
  const values = rows
    .map((row) => row[column])
    .filter((value) => value !== null && value !== undefined)
  if (values.length === 0) return 'text'
  if (values.every(isMicros) || values.every(isIso)) return 'time'
  if (values.every((value) => typeof value === 'number')) return 'number'
  return values.some((value) => typeof value === 'object') ? 'object' : 'text'
}

/** Microseconds since 1970 of a time as either dialect answers it; one without a zone is of UTC. */
export function microsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [text, zone] = iso.exec(typeof value === 'string' ? value : '') ?? []
  if (text === undefined) return undefined
  const ms = Date.parse(zone ? text : `${text}Z`)
  // The clock of the language has milliseconds: what is finer stands in the text.
  const finer = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? ''
  return Number.isNaN(ms) ? undefined : Math.floor(ms) * 1000 + Number(finer.padEnd(3, '0'))
}

/** A value as one line. */
export function lineOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A value with room for it. */
export const blockOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : lineOf(value)

/** A result for a CSV file: times in UTC, objects as JSON. */
export function csvRows({ columns, rows }: SqlAnswer): (string | number | null)[][] {
  const kinds = columns.map((_, at) => kindOf({ rows }, at))
  return [
    [...columns],
    ...rows.map((row) =>
      columns.map((_, at) => {
        const value = row[at]
        if (value === null || value === undefined) return null
        if (kinds[at] === 'time') return isoOf(value)
        return typeof value === 'number' ? value : lineOf(value)
      }),
    ),
  ]
}

function isoOf(value: unknown): string {
  const micros = microsOf(value)
  if (micros === undefined) return lineOf(value)
  const text = new Date(Math.floor(micros / 1000)).toISOString()
  return text.replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`)
}

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
