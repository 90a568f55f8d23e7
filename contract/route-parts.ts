/** The files that the page at an address needs, by the pattern of the address (`route-parts.json` of the build). */
export type RouteParts = Record<string, string[]>

/** Finds what belongs to an address: `/project/x/editor/new` is that page, not the table of this name. */
export function routeFinder<Value>(
  byAddress: Readonly<Record<string, Value>>,
): (path: string) => Value | undefined {
  const routes = Object.entries(byAddress)
    .map(([address, value]) => ({
      pattern: new RegExp(`^${address.replace(/:[^/]+/g, '[^/]+')}/?$`),
      wild: address.split(':').length,
      value,
    }))
    .toSorted((a, b) => a.wild - b.wild)
  return (path) => routes.find(({ pattern }) => pattern.test(path))?.value
}
