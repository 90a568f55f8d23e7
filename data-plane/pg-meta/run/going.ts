/** A run of this process, from its request on: it can be cancelled before it has a session. */
export type Going = {
  /** It was left by its reader, or cancelled: no further statement begins. */
  stopped: 'gone' | 'cancelled' | undefined
  /** It has its session, and Postgres may work for it. */
  hasBegun?: boolean
  onStop?: (() => void) | undefined
}

/** What runs in this process, to stop it before its next statement. Several runs can be called the same. */
export function createGoing() {
  const byKey = new Map<string, Set<Going>>()
  const all = new Set<Going>()
  return {
    /** Call `over` when it has ended, or could not begin. */
    add(key: string): { state: Going; over: () => void } {
      const state: Going = { stopped: undefined }
      const same = byKey.get(key) ?? new Set()
      byKey.set(key, same.add(state))
      all.add(state)
      const over = () => {
        all.delete(state)
        same.delete(state)
        if (same.size === 0) byKey.delete(key)
      }
      return { state, over }
    },
    of: (key: string): Going[] => [...(byKey.get(key) ?? [])],
    has: (state: Going) => all.has(state),
    isRunning: (state: Going) => all.has(state) && state.hasBegun === true,
  }
}

export function stop(state: Going, why: 'gone' | 'cancelled'): void {
  state.stopped ??= why
  state.onStop?.()
}
