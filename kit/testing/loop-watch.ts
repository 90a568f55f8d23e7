import { readFileSync } from 'node:fs'

/** Milliseconds of a processor that this thread has had. Time in which the machine did something else is no part of it. */
export function ownMs(): number {
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
  // Comes between any two turns that are this long, and leaves the machine to what is watched meanwhile.
  const looking = setInterval(() => {
    const now = ownMs()
    longest = Math.max(longest, now - last)
    last = ownMs()
  }, 2)
  return {
    /** The longest turn since the last time this was asked. */
    longest(): number {
      // With the turn that is not over yet.
      const found = Math.max(longest, ownMs() - last)
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
    /**
     * The same of what can be done again. What takes too long is done again, twice at most, and its shortest time counts: a bomb
     * holds the loop each time, but what the tests themselves left in memory, which they share with what they watch, is
     * collected when that happens to come. Another result than the first says nothing about it.
     */
    async shortest<T>(
      run: () => Promise<T>,
      tooLong: number,
      isSame: (first: T, next: T) => boolean = () => true,
    ): Promise<{ result: T; held: number }> {
      const first = await this.during(run)
      let { held } = first
      for (let again = 0; again < 2 && held >= tooLong; again++) {
        const next = await this.during(run)
        if (isSame(first.result, next.result)) held = Math.min(held, next.held)
      }
      return { result: first.result, held }
    },
    /** The same of a request. */
    duringRequest<T extends { status: number }>(send: () => Promise<T>, tooLong: number) {
      return this.shortest(send, tooLong, (first, next) => first.status === next.status)
    },
    stop: () => clearInterval(looking),
  }
}
