type Entry = { id: string; action: string; by: string | null; occurred_at: string }
type Made = { version: string; name: string | null; created_by: string | null }

export type Recent = {
  id: string
  kind: 'action' | 'migration'
  /** The action, such as `projects.pause`, or the migration's name. */
  what: string
  by: string | null
  /** ISO 8601. */
  at: string
}

const max = 6

/** The moment that a version such as 20260131235959 stands for; undefined for one that is only a number. */
function momentOf(version: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(version)?.slice(1).map(Number)
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** Both kinds of change in one list, newest first. */
export function recentOf(activity: readonly Entry[], migrations: readonly Made[]): Recent[] {
  const actions = activity.map(({ id, action, by, occurred_at: at }): Recent => ({
    id: `action ${id}`,
    kind: 'action',
    what: action,
    by,
    at,
  }))
  const made = migrations.flatMap(({ version, name, created_by: by }): Recent[] => {
    const at = momentOf(version)
    return at
      ? [{ id: `migration ${version}`, kind: 'migration', what: name ?? version, by, at }]
      : []
  })
  return [...actions, ...made].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, max)
}
