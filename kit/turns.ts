type Options = {
  /** How many run at a time. */
  atOnce: number
  /** How many may wait; whoever comes then is refused with what `full` makes. */
  mostWaiting: number
  full: () => Error
}

/** Lets work run a few at a time, in the order in which it came. */
export function createTurns({ atOnce, mostWaiting, full }: Options) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw full()
      await new Promise<void>((go) => waiting.push(go))
    } else running += 1
    try {
      return await work()
    } finally {
      // The place goes to the next one, or is free.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
