export type OpenTab = { id: string; name: string }

type Area = Pick<Storage, 'getItem' | 'setItem'>

/** Which queries have a tab above the editor, in their order, kept in this browser. */
export function createOpenTabs(area: Area, ref: string) {
  const key = `plinth.sql-editor-tabs-${ref}`
  const watchers = new Set<() => void>()
  let tabs: readonly OpenTab[] = parse(area.getItem(key))

  function set(next: readonly OpenTab[]) {
    tabs = next
    keep(area, key, JSON.stringify(tabs))
    for (const watch of watchers) watch()
  }

  return {
    list: () => tabs,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Opens a tab at the end, or gives an open one its new name. */
    show(id: string, name: string) {
      const known = tabs.find((tab) => tab.id === id)
      if (!known) set([...tabs, { id, name }])
      else if (known.name !== name) set(tabs.map((tab) => (tab.id === id ? { id, name } : tab)))
    },
    /** Closes a tab and names the one to look at next. */
    close(id: string): string | undefined {
      const at = tabs.findIndex((tab) => tab.id === id)
      if (at < 0) return undefined
      set(tabs.filter((tab) => tab.id !== id))
      return (tabs[at] ?? tabs[at - 1])?.id
    },
  }
}
export type OpenTabs = ReturnType<typeof createOpenTabs>

function keep(area: Area, key: string, value: string) {
  try {
    area.setItem(key, value)
  } catch {
    // Without room the tabs are merely forgotten.
  }
}

function parse(text: string | null): OpenTab[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isTab) : []
  } catch {
    return []
  }
}

const isTab = (value: unknown): value is OpenTab =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  typeof value.id === 'string' &&
  typeof value.name === 'string'
