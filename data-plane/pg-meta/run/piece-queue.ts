/** Characters that wait to be read; a piece more than that is not taken in. */
const maxWaiting = 4_000_000
/** How long a piece waits for room before its sender is told to come again. */
const roomMs = 20_000
/** A file of which nothing comes for so long is given up. */
const timeoutMs = 120_000

/** The pieces of a file between the calls that bring them and the run that reads them. */
export function createPieceQueue() {
  const pieces: string[] = []
  let waiting = 0
  /** Where the next piece begins, in UTF-16 units. */
  let received = 0
  let isAll = false
  let closed = false
  const watchers = new Set<() => void>()
  const changed = () => {
    for (const watcher of watchers) watcher()
  }
  /** Until `isSo`, or for so long. */
  const until = (isSo: () => boolean, ms: number) =>
    new Promise<void>((done) => {
      const look = () => {
        if (isSo()) end()
      }
      const end = () => {
        clearTimeout(timer)
        watchers.delete(look)
        done()
      }
      const timer = setTimeout(end, ms)
      watchers.add(look)
      look()
    })

  return {
    /** False: there was no room, or it is not the piece that comes next. */
    async put(offset: number, text: string, last: boolean): Promise<boolean> {
      await until(() => closed || waiting < maxWaiting, roomMs)
      if (closed || isAll || offset !== received || waiting >= maxWaiting) return false
      pieces.push(text)
      waiting += text.length
      received += text.length
      isAll = last
      changed()
      return true
    },
    isClosed: () => closed,
    /** Nothing is read any more. */
    close() {
      closed = true
      changed()
    },
    async *read(): AsyncGenerator<string> {
      for (;;) {
        await until(() => closed || isAll || pieces.length > 0, timeoutMs)
        const piece = pieces.shift()
        if (piece === undefined && isAll) return
        if (piece === undefined || closed) throw new Error('The file is incomplete')
        waiting -= piece.length
        changed()
        yield piece
      }
    },
  }
}
export type PieceQueue = ReturnType<typeof createPieceQueue>
