/** A setting as people read it: switches in words, texts as they are, everything else as JSON. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value === 'string') return value === '' ? 'Empty' : value
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value)
  // A bucket.
  return Object.entries(value)
    .filter(([key]) => key !== 'name')
    .map(([key, one]) => `${key}: ${Array.isArray(one) ? one.join(', ') : shownValue(one)}`)
    .join('\n')
}
