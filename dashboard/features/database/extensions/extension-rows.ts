import type { Extension } from '#contract/database/database-object-shapes'
import type { CatalogueEntry } from '#contract/database/extensions'

export type ExtensionState =
  | 'enabled'
  | 'available'
  /** The server has it, but only its operator may install it. */
  | 'operator'
  /** Known, but this server does not have it. */
  | 'absent'

export type ExtensionRow = {
  name: string
  comment: string
  tags: string[]
  link: string | null
  product: string | null
  product_url: string | null
  deprecated: string[]
  state: ExtensionState
  /** What the server says of it; undefined when it does not have it. */
  extension: Extension | undefined
}

/** The catalogue joined with what a server has; what only the server knows comes with the server's own words. */
export function extensionRows(
  catalogue: readonly CatalogueEntry[],
  offered: readonly Extension[],
): ExtensionRow[] {
  const byName = new Map(offered.map((extension) => [extension.name, extension]))
  const known = catalogue.map((entry): ExtensionRow => {
    const extension = byName.get(entry.name)
    return { ...entry, state: stateOf(extension, byName), extension }
  })
  const names = new Set(catalogue.map(({ name }) => name))
  const more = offered
    .filter(({ name }) => !names.has(name))
    .map((extension): ExtensionRow => ({
      name: extension.name,
      comment: extension.comment ?? '',
      tags: [],
      link: null,
      product: null,
      product_url: null,
      deprecated: [],
      state: stateOf(extension, byName),
      extension,
    }))
  return [...known, ...more].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function stateOf(
  extension: Extension | undefined,
  byName: ReadonlyMap<string, Extension>,
): ExtensionState {
  if (!extension) return 'absent'
  if (extension.installed_version !== null) return 'enabled'
  const allowed = [extension, ...missingOf(extension, byName)].every(({ may_enable }) => may_enable)
  return allowed ? 'available' : 'operator'
}

/** What has to be installed with it, in any depth. */
export function missingOf(
  extension: Extension,
  byName: ReadonlyMap<string, Extension>,
): Extension[] {
  const missing = new Map<string, Extension>()
  const add = (names: readonly string[]) => {
    for (const name of names) {
      const needed = byName.get(name)
      if (!needed || needed.installed_version !== null || missing.has(name)) continue
      missing.set(name, needed)
      add(needed.requires)
    }
  }
  add(extension.requires)
  missing.delete(extension.name)
  return [...missing.values()]
}

export type ExtensionFilter = {
  q?: string | undefined
  tag?: string | undefined
  state?: string | undefined
}

export function matchingRows(
  rows: readonly ExtensionRow[],
  { q = '', tag, state }: ExtensionFilter,
): ExtensionRow[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    // Dozens that nobody can enable would hide those that somebody can, unless they are what is looked for.
    if (row.state === 'absent' && state === undefined && words.length === 0) return false
    const text = `${row.name} ${row.comment} ${row.tags.join(' ')}`.toLowerCase()
    return (
      words.every((word) => text.includes(word)) &&
      (tag === undefined || row.tags.includes(tag)) &&
      (state === undefined || inState(row.state, state))
    )
  })
}

/** A newer version that the server has; undefined where the one that is installed is the newest, or none is. */
export function updateOf({ extension, state }: ExtensionRow): string | undefined {
  const newest = extension?.default_version ?? undefined
  return state === 'enabled' && newest !== extension?.installed_version ? newest : undefined
}

const inState = (state: ExtensionState, requested: string) => state === requested
