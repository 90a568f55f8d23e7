/** What an endpoint and its input become on the wire. */
export type Address = { path: string; body: Record<string, unknown> | undefined }

/**
 * Spreads a flat input over path (`/projects/:ref`), query (GET, HEAD, DELETE) and body (the rest). Arrays in a query are
 * comma-joined (requirements §7); what is undefined is left out.
 */
export function addressOf(
  { method, path }: { method: string; path: string },
  input: Readonly<Record<string, unknown>>,
): Address {
  const rest = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, key: string) => {
    const value = rest[key]
    delete rest[key]
    if (value === undefined || value === '') throw new Error(missing(key))
    return encodeURIComponent(textOf(value))
  })
  if (method !== 'GET' && method !== 'HEAD' && method !== 'DELETE')
    return { path: filled, body: rest }
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(rest))
    if (value !== undefined)
      query.set(key, Array.isArray(value) ? value.map(textOf).join(',') : textOf(value))
  return { path: query.size ? `${filled}?${query}` : filled, body: undefined }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

// The requirements' words for the one that matters (§8).
const missing = (key: string) => (key === 'ref' ? 'Project ref is required' : `${key} is required`)
