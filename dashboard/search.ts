/** Search parameters are plain text, as people write them into links: `?org=123` is the text '123'. A repeated name is a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text)
  const search: Record<string, string | string[]> = {}
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    search[name] = values.length > 1 ? values : (values[0] ?? '')
  }
  return search
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) params.append(name, String(one))
  // Slashes are harmless in a query, and `?returnTo=/org/a` can be read.
  const text = params.toString().replaceAll('%2F', '/')
  return text && `?${text}`
}
