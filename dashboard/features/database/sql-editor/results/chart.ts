import type { SnippetChart } from '#contract/database/snippets'
import type { ResultCell, ResultField } from '#contract/database/sql/sql-query'
import { isNumeric, textOf } from './result-export.ts'

type Result = { fields: readonly ResultField[]; rows: readonly (readonly ResultCell[])[] }

/** More points than this nobody can tell apart; the first ones are drawn. */
export const maxPoints = 50_000
const times = new Set(['date', 'timestamp', 'timestamptz'])

export type Series = {
  /** What stands below: numbers, seconds since 1970, or places of `labels`. */
  x: number[]
  y: { name: string; values: (number | null)[] }[]
  kind: 'number' | 'time' | 'label'
  labels: string[]
  /** Rows that were left out, because there are too many or their place is no value. */
  left: number
}

/** A first choice: the first column below, the first numbers above it. */
export function firstChart({ fields }: Pick<Result, 'fields'>): SnippetChart | undefined {
  const numbers = fields.filter(({ type }) => isNumeric(type))
  const below = fields.find((field) => !isNumeric(field.type)) ?? fields[0]
  const above = numbers.find((field) => field !== below) ?? numbers[0]
  if (!below || !above) return undefined
  const kind = times.has(below.type) ? 'line' : 'bar'
  return { kind, x: below.name, y: [above.name], cumulative: false }
}

/** The drawing that fits this result: the saved one where its columns are still there. */
export function chartFor(result: Pick<Result, 'fields'>, saved: SnippetChart | null | undefined) {
  const has = (name: string) => result.fields.some((field) => field.name === name)
  return saved && has(saved.x) && saved.y.length > 0 && saved.y.every(has)
    ? saved
    : firstChart(result)
}

/** A result's columns as numbers to draw. What is no number is a gap. */
export function seriesOf({ fields, rows }: Result, chart: SnippetChart): Series {
  const at = (name: string) => fields.findIndex((field) => field.name === name)
  const below = fields[at(chart.x)]
  const kind = !below
    ? 'label'
    : times.has(below.type)
      ? 'time'
      : isNumeric(below.type)
        ? 'number'
        : 'label'
  const drawn = rows.slice(0, maxPoints)
  const points = drawn.flatMap((row, place) => {
    const text = textOf(row[at(chart.x)] ?? null)
    const x = kind === 'label' ? place : kind === 'time' ? secondsOf(text) : numberOf(text)
    return x === null ? [] : [{ x, row, label: text ?? 'NULL' }]
  })
  // Lines are drawn from left to right.
  if (kind !== 'label') points.sort((a, b) => a.x - b.x)
  return {
    x: points.map(({ x }) => x),
    y: chart.y.map((name) => {
      const values = points.map(({ row }) => numberOf(textOf(row[at(name)] ?? null)))
      return { name, values: chart.cumulative ? summed(values) : values }
    }),
    kind,
    labels: kind === 'label' ? points.map(({ label }) => label) : [],
    left: rows.length - points.length,
  }
}

/**
 * From where to where values are drawn. What is filled down to a line begins at zero: its length is what people compare.
 */
export function heightsOf(
  kind: SnippetChart['kind'],
  least: number | null,
  max: number | null,
): [number, number] | undefined {
  if (kind !== 'bar' && kind !== 'area') return undefined
  const [low, high] = [Math.min(0, least ?? 0), Math.max(0, max ?? 0)]
  return low === high ? [0, 1] : [low * air, high * air]
}
/** A little beyond the highest one. */
const air = 1.05

function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text.replace(/^(-?)\$/, '$1').replaceAll(/(?<=\d),(?=\d{3})/g, ''))
  return Number.isFinite(value) ? value : null
}

/** Postgres writes `2026-01-31 12:00:00.5+02`; a time without a zone is taken as UTC, as it is shown. */
function secondsOf(text: string | null): number | null {
  const match =
    /^(\d{4,6}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::?\d\d)?)?)?$/.exec(
      text ?? '',
    )
  if (!match) return null
  const [, day, time = '00:00:00', zone = '+00'] = match
  const value = Date.parse(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
  return Number.isNaN(value) ? null : value / 1000
}

function summed(values: readonly (number | null)[]): (number | null)[] {
  let sum = 0
  return values.map((value) => (value === null ? null : (sum += value)))
}
