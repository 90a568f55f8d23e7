/** What one tab has not saved yet of the thing called `id`. `at` is in milliseconds. */
export type Draft = { id: string; at: number }

export type DraftKind = 'staged-rows' | 'function-code' | 'sql-draft'
const kinds: readonly DraftKind[] = ['staged-rows', 'function-code', 'sql-draft']
/** Whether a key of the browser's storage is a draft of somebody. */
export const isDraft = (key: string) => kinds.some((kind) => key.startsWith(`plinth.${kind}.`))

type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Nobody comes back to older ones. */
const maxAge = 30 * 24 * 3_600_000

/**
 * Work kept in this browser until the server has it, so that a crash or a train tunnel loses nothing. Every tab
 * writes under a name of its own: two tabs with the same thing never touch each other's. `kind` names what is kept, `scope` whose it is and where.
 */
export function createDrafts<D extends Draft>(
  area: Area,
  { kind, scope }: { kind: DraftKind; scope: string },
  tab: string,
) {
  const prefix = `plinth.${kind}.${scope}.`
  const keyOf = (id: string, ofTab = tab) => `${prefix}${id}.${ofTab}`

  function all(): { draft: D; tab: string }[] {
    const keys = Array.from({ length: area.length }, (_, i) => area.key(i))
    return keys.flatMap((key) => {
      if (!key?.startsWith(prefix)) return []
      const draft = parse<D>(area.getItem(key))
      return draft ? [{ draft, tab: key.slice(prefix.length + draft.id.length + 1) }] : []
    })
  }
  const placeOf = (draft: D) =>
    all().find(({ draft: one }) => one.id === draft.id && one.at === draft.at)

  return {
    /** False when the browser has no room left or forbids it. */
    keep(draft: D): boolean {
      try {
        area.setItem(keyOf(draft.id), JSON.stringify(draft))
        return true
      } catch {
        return false
      }
    },
    drop: (id: string) => area.removeItem(keyOf(id)),
    /** Drafts that no living tab will save, the newest first. */
    orphans(alive: ReadonlySet<string>): D[] {
      return all()
        .filter((found) => found.tab !== tab && !alive.has(found.tab))
        .map(({ draft }) => draft)
        .toSorted((a, b) => b.at - a.at)
    },
    /** Makes an orphan this tab's own. */
    adopt(draft: D): void {
      const found = placeOf(draft)
      if (!found || found.tab === tab) return
      area.removeItem(keyOf(draft.id, found.tab))
      this.keep(draft)
    },
    /** This tab's own becomes an orphan, as if the tab had ended. */
    leave(id: string): void {
      const text = area.getItem(keyOf(id))
      if (text === null) return
      area.removeItem(keyOf(id))
      area.setItem(keyOf(id, crypto.randomUUID()), text)
    },
    /** Forgets an orphan. */
    forget(draft: D): void {
      const found = placeOf(draft)
      if (found) area.removeItem(keyOf(draft.id, found.tab))
    },
    /** Forgets what is too old. */
    prune(now = Date.now()): void {
      for (const { draft, tab: ofTab } of all())
        if (draft.at < now - maxAge) area.removeItem(keyOf(draft.id, ofTab))
    },
  }
}
export type Drafts<D extends Draft> = ReturnType<typeof createDrafts<D>>

function parse<D extends Draft>(text: string | null): D | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    const known = typeof value === 'object' && value !== null && 'id' in value && 'at' in value
    // Only we write under this prefix.
    return known ? (value as D) : undefined
  } catch {
    // Cut off by a crash while it was written.
    return undefined
  }
}
