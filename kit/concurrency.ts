type LimiterOptions = {
  /** How many run at a time. */
  concurrency: number
} & (
  | {
      /** How many may wait; whoever comes then is refused with what `full` makes. */
      maxQueued: number
      full: () => Error
    }
  // Any number may wait.
  | { maxQueued?: never; full?: never }
)

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** Lets work run a few at a time, in the order in which it came. */
export function createLimiter({
  concurrency,
  maxQueued = Infinity,
  full,
}: LimiterOptions): Limiter {
  const queued: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= concurrency) {
      if (full && queued.length >= maxQueued) throw full()
      await new Promise<void>((go) => queued.push(go))
    } else running += 1
    try {
      return await work()
    } finally {
      // The place goes to the next one, or is free.
      const next = queued.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Runs one piece of work after the other, whether the one before succeeded or not. */
export const createMutex = (): Limiter => createLimiter({ concurrency: 1 })

/**
 * Something of the kind for each key, such as a project's ref, kept as long as somebody uses it: what belongs to one key
 * is held back, and different keys go side by side.
 */
export function perKey(create: () => Limiter) {
  const used = new Map<string, { limiter: Limiter; users: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = used.get(key) ?? { limiter: create(), users: 0 }
    used.set(key, own)
    own.users += 1
    try {
      return await own.limiter(work)
    } finally {
      own.users -= 1
      if (own.users === 0) used.delete(key)
    }
  }
}
