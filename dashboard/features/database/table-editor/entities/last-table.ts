const projectKey = 'plinth.table-editor-project'
const tableKey = (ref: string) => `plinth.table-editor-last-${ref}`

/** The table of a project that was looked at last, in this browser. */
export const lastTable = (ref: string): string | undefined =>
  localStorage.getItem(tableKey(ref)) ?? undefined

/** The project whose table editor was used last. */
export const lastTableProject = (): string | undefined =>
  localStorage.getItem(projectKey) ?? undefined

export function rememberTable(ref: string, id: string | undefined): void {
  try {
    localStorage.setItem(projectKey, ref)
    if (id === undefined) localStorage.removeItem(tableKey(ref))
    else localStorage.setItem(tableKey(ref), id)
  } catch {
    // Without room it is merely forgotten.
  }
}
