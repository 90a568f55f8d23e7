/** More than are in sight are drawn on either side, so that a quick hand meets no gap. */
const spare = 20

/** Which of `count` rows are drawn when `height` pixels are in sight, `top` pixels down. */
export function windowOf(
  { top, height }: { top: number; height: number },
  rowHeight: number,
  count: number,
): { from: number; to: number } {
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare)
  return { from: Math.min(to, Math.max(0, Math.floor(top / rowHeight) - spare)), to }
}

/** The row that a key leads to from the row `at` (-1: from none); undefined: it is no such key. */
export function nextRow(key: string, at: number, count: number, page: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? 0 : at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  const wanted = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (wanted === undefined || count === 0) return undefined
  return Math.min(count - 1, Math.max(0, wanted))
}
