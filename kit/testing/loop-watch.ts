import { readFileSync } from 'node:fs'

/** Milliseconds of a processor that this thread has had. Time in which the machine did something else is no part of it. */
function ownMs(): number {
  // On processor in nanoseconds, waiting for one, turns (Documentation/scheduler/sched-stats.rst).
  const [ran] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
  return Number(ran) / 1e6
}

/**
 * Notes how long the event loop of this thread works without coming to its next turn, in milliseconds of a processor:
 * what everybody else has to wait at least, however busy the machine is.
 */
export function watchLoop() {
  let longest = 0
  let last = ownMs()
  let next = setImmediate(look)
  function look() {
    const now = ownMs()
    longest = Math.max(longest, now - last)
    last = ownMs()
    next = setImmediate(look)
  }
  return {
    /** The longest turn since the last time this was asked. */
    longest(): number {
      const found = longest
      longest = 0
      last = ownMs()
      return found
    },
    /** Runs something and tells with its result how long nobody else had a turn. */
    async during<T>(run: () => Promise<T>): Promise<{ result: T; held: number }> {
      await new Promise((turn) => setImmediate(turn))
      this.longest()
      return { result: await run(), held: this.longest() }
    },
    stop: () => clearImmediate(next),
  }
}
