import type { NewCell } from '#contract/table-rows'

/** A row that somebody typed as JSON, in the text form that its columns take; undefined when it is no JSON object. */
export function valuesFrom(text: string): Record<string, NewCell> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.fromEntries(Object.entries(value).map(([name, cell]) => [name, cellOf(cell)]))
  } catch {
    return undefined
  }
}

const cellOf = (value: unknown): NewCell =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value)
