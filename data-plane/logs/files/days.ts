/** Microseconds of a day. Days are those of UTC, and each has a folder of its own. */
export const dayMicros = 86_400_000_000

/** A stretch of time in microseconds since 1970: from `from`, up to but not at `to`. */
export type Span = { from: number; to: number }

/** The day of a moment, as its number since 1970. */
export const dayOf = (micros: number): number => Math.floor(micros / dayMicros)

export const spanOfDay = (day: number): Span => ({
  from: day * dayMicros,
  to: (day + 1) * dayMicros,
})

/** The name of a day's folder: `2026-07-31`. */
export const folderOfDay = (day: number): string =>
  new Date(day * (dayMicros / 1000)).toISOString().slice(0, 10)

/** Undefined: it is not the folder of a day. */
export function dayOfFolder(name: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(name)) return undefined
  const ms = Date.parse(`${name}T00:00:00Z`)
  return Number.isNaN(ms) ? undefined : ms / (dayMicros / 1000)
}
