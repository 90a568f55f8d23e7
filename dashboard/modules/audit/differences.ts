export type Difference = { name: string; before: string; after: string }

/** The fields that an entry says were changed, as texts side by side. */
export function differences(change: Record<string, unknown>): Difference[] {
  const [before, after] = [fieldsOf(change.before), fieldsOf(change.after)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    before: textOf(before[name]),
    after: textOf(after[name]),
  }))
}

const fieldsOf = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null && !Array.isArray(state) ? { ...state } : {}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'string') return value === '' ? 'empty' : value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return JSON.stringify(value)
}
