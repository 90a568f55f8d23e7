import type { Column } from '#contract/database/pg-meta-shapes'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { Param } from './row-sql.ts'

const largest: Record<string, bigint> = {
  int2: 32_767n,
  int4: 2_147_483_647n,
  int8: 9_223_372_036_854_775_807n,
}
const texts = new Set(['text', 'varchar', 'bpchar', 'citext', 'name'])

/**
 * Conditions for values that begin with what was typed, each of which an ordinary index answers; none when nothing of this
 * type can begin so. Databases of the platform sort texts by their characters, which is what makes a beginning a range.
 */
export function beginningsSql(column: Column, typed: string, param: Param): string[] {
  const name = quoteIdent(column.name)
  const { format } = column
  const between = ([low, high]: readonly [string, string]) =>
    `${name} between ${param(low)} and ${param(high)}`
  if (column.enums.length > 0 || column.data_type === 'ARRAY') return []
  if (texts.has(format)) {
    return spellings(typed).map((text) => {
      const pattern = `${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
      return `${name} like ${param(pattern)}`
    })
  }
  if (format in largest) return numberRanges(typed, largest[format] ?? 0n).map(between)
  if (format === 'uuid') return uuidRange(typed).map(between)
  return format === 'numeric' && /^-?\d+(?:\.\d+)?$/.test(typed)
    ? [`${name} = ${param(typed)}`]
    : []
}

/** An index knows only texts as they are written, so the usual ways to write them are tried. */
function spellings(typed: string): string[] {
  const capital = typed.slice(0, 1).toUpperCase() + typed.slice(1)
  return [...new Set([typed, capital, typed.toLowerCase(), typed.toUpperCase()])]
}

/** Numbers whose digits begin so: itself, then ten of them, a hundred, ... up to the largest. */
export function numberRanges(typed: string, max: bigint): (readonly [string, string])[] {
  const [, minus, digits] = /^(-?)(0|[1-9]\d{0,18})$/.exec(typed) ?? []
  if (digits === undefined) return []
  const ranges: (readonly [bigint, bigint])[] = []
  let low = BigInt(digits)
  let high = low
  while (low <= max) {
    ranges.push([low, high > max ? max : high])
    if (low === 0n) break
    low *= 10n
    high = high * 10n + 9n
  }
  return ranges.map(([from, to]) =>
    minus ? [String(-to), String(-from)] : [String(from), String(to)],
  )
}

export function uuidRange(typed: string): (readonly [string, string])[] {
  const digits = typed.replaceAll('-', '').toLowerCase()
  if (!/^[\da-f]{1,32}$/.test(digits)) return []
  return [[digits.padEnd(32, '0'), digits.padEnd(32, 'f')]]
}
