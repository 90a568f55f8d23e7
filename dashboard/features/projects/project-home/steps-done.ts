const keyOf = (ref: string) => `plinth.steps-done.${ref}`

/** Whether all steps of a project were done when somebody looked last: it is known before the facts are there again. */
export const wasDone = (ref: string): boolean => localStorage.getItem(keyOf(ref)) !== null

export function rememberDone(ref: string, isDone: boolean): void {
  if (isDone) localStorage.setItem(keyOf(ref), 'true')
  else localStorage.removeItem(keyOf(ref))
}
