const projectKey = 'plinth.sql-editor-project'
const queryKey = (ref: string) => `plinth.sql-editor-last-${ref}`

/** The query of a project that was looked at last, in this browser. */
export const lastQuery = (ref: string): string | undefined =>
  localStorage.getItem(queryKey(ref)) ?? undefined

/** The project whose SQL editor was used last. */
export const lastProject = (): string | undefined => localStorage.getItem(projectKey) ?? undefined

export function rememberQuery(ref: string, id: string | undefined): void {
  try {
    localStorage.setItem(projectKey, ref)
    if (id === undefined) localStorage.removeItem(queryKey(ref))
    else localStorage.setItem(queryKey(ref), id)
  } catch {
    // Without room it is merely forgotten.
  }
}
