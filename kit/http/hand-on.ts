import type { Log } from '../log.ts'

type Options<Value> = {
  /** Takes values over for good; what it rejects is kept and sent again with what came meanwhile. */
  send: (values: Value[]) => Promise<void>
  /** Puts what was not taken back among what waits. */
  takeBack: (values: readonly Value[]) => void
  /** Values that wait while nobody takes them. */
  maxWaiting: number
  /** Said in the log when nobody takes them. */
  failure: string
  log: Log
  everyMs: number
}

/** Values of one message. */
const maxSent = 1000

/**
 * What adds up in memory, by a key, and is handed on every few seconds. A process that dies loses what waited; one that
 * closes hands it on first.
 */
export function createHandOn<Value>(options: Options<Value>) {
  const { send, takeBack, maxWaiting, failure, log, everyMs } = options
  let waiting = new Map<string, Value>()

  async function flush(): Promise<void> {
    const values = [...waiting.values()]
    waiting = new Map()
    for (let start = 0; start < values.length; start += maxSent) {
      try {
        await send(values.slice(start, start + maxSent))
      } catch (error) {
        log.info({ err: error }, failure)
        takeBack(values.slice(start))
        return
      }
    }
  }

  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= flush().finally(() => {
      running = undefined
    })
  }, everyMs)
  timer.unref()

  return {
    get: (key: string): Value | undefined => waiting.get(key),
    /** Lets another one wait; false when too many do. */
    add(key: string, value: Value): boolean {
      if (waiting.size >= maxWaiting) return false
      waiting.set(key, value)
      return true
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
