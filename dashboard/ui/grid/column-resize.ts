/** Pixels by which a hand may move the edge of a column while it double-clicks. */
const tremor = 3

/**
 * Tells a drag of a column's edge from a double-click on it, which fits the column to its cells. The grid library goes by time alone:
 * where anything was released less than half a second before a drag ends, it fits the column, and the dragged width is lost.
 * After a drag no width is taken until the edge is pressed again.
 */
export function createColumnResize() {
  let state: 'still' | 'pressed' | 'dragged' | 'released' = 'still'
  let before = 0
  return {
    start(width: number) {
      state = 'pressed'
      before = width
    },
    /** Whether a width that the grid reports is one that somebody asked for. */
    takes(width: number): boolean {
      if (state === 'pressed' && Math.abs(width - before) > tremor) state = 'dragged'
      return state !== 'released'
    },
    end() {
      state = state === 'dragged' ? 'released' : 'still'
    },
  }
}
