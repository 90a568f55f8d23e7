import type { LogFacets } from '#contract/observability/logs'
import type { LogFieldInfo } from './sources.ts'

/** Every entry has another one, or nearly: the most common ones say nothing. */
const unlike = new Set(['request_id', 'execution_id', 'search'])
/** Numbers that stand for kinds of things, and are not measured. */
const kinds = new Set(['status'])
/** As many as one looks through at a glance. */
const most = 8

/** Which values of a field are suggested to who filters by it. */
export const suggested = {
  isFor: ({ key, type }: Pick<LogFieldInfo, 'key' | 'type'>): boolean =>
    !unlike.has(key) && (type !== 'number' || kinds.has(key)),
  /** Without those that cannot be typed: commas stand between values, and spaces around them are no part of one. */
  of: (counted: LogFacets[string] | undefined): { value: string; count: number }[] =>
    (counted ?? [])
      .map(({ value, count }) => ({ value: String(value), count }))
      .filter(({ value }) => value !== '' && value.trim() === value && !value.includes(','))
      .slice(0, most),
}
