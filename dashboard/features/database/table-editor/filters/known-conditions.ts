import type { RowFilter } from '#contract/database/rows/table-rows'

/**
 * Conditions that this person wrote, or agreed to, in this tab. An address or a shared view may carry SQL of anybody's,
 * and it would run with the rights of whoever opens it: so it waits until they have read it.
 */
const key = 'plinth.known-conditions'
const maxKept = 100

const conditionsIn = (filters: readonly RowFilter[]) =>
  filters.flatMap((filter) => ('condition' in filter ? [filter.condition] : []))

const nameOf = (ref: string, condition: string) => `${ref} ${condition}`

function kept(): string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export function keepConditions(ref: string, filters: readonly RowFilter[]): void {
  const names = conditionsIn(filters).map((condition) => nameOf(ref, condition))
  if (names.length === 0) return
  const all = [...new Set([...kept(), ...names])].slice(-maxKept)
  sessionStorage.setItem(key, JSON.stringify(all))
}

/** Conditions that wait to be read. */
export function unknownConditions(ref: string, filters: readonly RowFilter[]): string[] {
  const conditions = conditionsIn(filters)
  if (conditions.length === 0) return []
  const known = new Set(kept())
  return conditions.filter((condition) => !known.has(nameOf(ref, condition)))
}
