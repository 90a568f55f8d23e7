import type { Values } from './query-values.ts'

/** What one tab has not saved yet. `revision` is the one its changes started from; null when there is none yet. */
export type Draft = { id: string; values: Values; revision: number | null; at: number }

type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/**
 * Texts kept in this browser until the server has them, so that a crash or a train tunnel loses nothing. Every tab
 * writes under a name of its own: two tabs with the same query never touch each other's text.
 */
export function createDrafts(area: Area, scope: string, tab: string) {
  const prefix = `plinth.sql-draft.${scope}.`
  const keyOf = (id: string, ofTab = tab) => `${prefix}${id}.${ofTab}`

  function all(): { draft: Draft; tab: string }[] {
    const keys = Array.from({ length: area.length }, (_, i) => area.key(i))
    return keys.flatMap((key) => {
      if (!key?.startsWith(prefix)) return []
      const draft = parse(area.getItem(key))
      return draft ? [{ draft, tab: key.slice(prefix.length + draft.id.length + 1) }] : []
    })
  }

  return {
    /** False when the browser has no room left or forbids it. */
    keep(draft: Draft): boolean {
      try {
        area.setItem(keyOf(draft.id), JSON.stringify(draft))
        return true
      } catch {
        return false
      }
    },
    drop: (id: string) => area.removeItem(keyOf(id)),
    /** Drafts that no living tab will save, the newest first. */
    orphans(alive: ReadonlySet<string>): Draft[] {
      return all()
        .filter((found) => found.tab !== tab && !alive.has(found.tab))
        .map(({ draft }) => draft)
        .toSorted((a, b) => b.at - a.at)
    },
    /** Makes an orphan this tab's own. */
    adopt(draft: Draft): void {
      const found = all().find((one) => one.draft.id === draft.id && one.draft.at === draft.at)
      if (!found || found.tab === tab) return
      area.removeItem(keyOf(draft.id, found.tab))
      this.keep(draft)
    },
  }
}
export type Drafts = ReturnType<typeof createDrafts>

function parse(text: string | null): Draft | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    const known = typeof value === 'object' && value !== null && 'id' in value && 'values' in value
    // Only we write under this prefix.
    return known ? (value as Draft) : undefined
  } catch {
    // Cut off by a crash while it was written.
    return undefined
  }
}
