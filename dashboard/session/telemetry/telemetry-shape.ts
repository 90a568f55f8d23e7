type Property = string | number | boolean | null

/** Names without their values: tokens and search words stand in queries. */
export const namesOf = (search: string): string =>
  [...new Set(new URLSearchParams(search).keys())].join('&').slice(0, 500)

export const withoutQuery = (url: string): string => url.split(/[?#]/)[0]?.slice(0, 2000) ?? ''

/** The properties that may be sent: names and figures, at most 20; longer texts and things are left out. */
export function plain(properties: Record<string, unknown>): Record<string, Property> {
  const entries = Object.entries(properties).filter(
    (entry): entry is [string, Property] => isPlain(entry[1]) && entry[0].length <= 64,
  )
  return Object.fromEntries(entries.slice(0, 20))
}

const isPlain = (value: unknown): value is Property =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= 200)
