const below = (endpoint: string) => `${endpoint.replace(/\/+$/, '')}/functions/v1/`

/** Where an edge function of the project is called. */
export const addressOfFunction = (endpoint: string, slug: string) => `${below(endpoint)}${slug}`

/** The function that an address calls as a whole; undefined for any other address. */
export function functionAt(url: string, endpoint: string): string | undefined {
  const base = below(endpoint)
  if (!url.startsWith(base)) return undefined
  const slug = url.slice(base.length)
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(slug) ? slug : undefined
}
