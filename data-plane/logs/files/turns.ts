type Options = {
  /** How many run at a time. */
  running: number
  /** How many may wait, of all and of one project. */
  waiting: number
  waitingOfOne: number
  full: () => Error
}
type Waiter = { go: () => void; leave: (reason: Error) => void }

/**
 * Lets questions run: one of a project at a time, and a few of all of them. Whoever asks much waits behind itself: of the
 * projects that wait, the one comes next that has had its turn longest ago.
 */
export function createTurns({ running: most, waiting: mostWaiting, waitingOfOne, full }: Options) {
  /** In the order of their turns. */
  const queues = new Map<string, Waiter[]>()
  const busy = new Set<string>()
  let waiting = 0

  function next(): void {
    for (const [key, queue] of queues) {
      if (busy.size >= most) return
      if (busy.has(key)) continue
      const waiter = queue.shift()
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      if (!waiter) continue
      waiting -= 1
      busy.add(key)
      waiter.go()
    }
  }
  async function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = queues.get(key) ?? []
    if (waiting >= mostWaiting || queue.length >= waitingOfOne) throw full()
    let abort = () => undefined as void
    try {
      await new Promise<void>((go, leave) => {
        const waiter = { go, leave }
        queue.push(waiter)
        queues.set(key, queue)
        waiting += 1
        abort = () => {
          const at = queue.indexOf(waiter)
          if (at < 0) return
          queue.splice(at, 1)
          waiting -= 1
          if (queue.length === 0) queues.delete(key)
          leave(new DOMException('Nobody waits for it any more', 'AbortError'))
        }
        signal?.addEventListener('abort', abort, { once: true })
        next()
      })
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  return async function inTurn<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    await wait(key, signal)
    try {
      return await work()
    } finally {
      busy.delete(key)
      // Who has just had a turn is the last in the row.
      const queue = queues.get(key)
      queues.delete(key)
      if (queue) queues.set(key, queue)
      next()
    }
  }
}
