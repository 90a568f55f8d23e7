/** This browser tab, for as long as the page is loaded: a reload is another one. */
export const tab = crypto.randomUUID()
const prefix = 'plinth.tab.'
let isShown = false

/** Other tabs can see that this one lives, until it closes, crashes or is reloaded: the browser then frees the lock. */
export function showLife(): void {
  if (isShown) return
  isShown = true
  if ('locks' in navigator) void navigator.locks.request(prefix + tab, () => new Promise(() => {}))
}

/** The tabs that live now. Where the browser cannot tell (without HTTPS), none but this one. */
export async function livingTabs(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set([tab])
  const { held = [] } = await navigator.locks.query()
  const names = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []))
  return new Set([tab, ...names.map((name) => name.slice(prefix.length))])
}
