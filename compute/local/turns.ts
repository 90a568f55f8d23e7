/** Runs what belongs to one key one after the other, and different keys side by side. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, settled)
    void settled.then(() => last.get(key) === settled && last.delete(key))
    return result
  }
}
