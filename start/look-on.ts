import { setTimeout as delay } from 'node:timers/promises'

export type Looking = { stop(): Promise<void> }

/**
 * Looks again and again, with as many milliseconds between two looks as `waitMs` says by then. `look` settles all by itself; `stop`
 * waits for one that is under way.
 */
export function lookOn(
  look: (stopped: AbortSignal) => Promise<void>,
  waitMs: () => number,
): Looking {
  const ending = new AbortController()
  const { signal } = ending
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look(signal)
      // An aborted wait is the end of the loop, which its condition sees.
      await delay(waitMs(), undefined, { signal }).catch(() => undefined)
    }
  }
  const done = run()
  return {
    async stop() {
      ending.abort()
      await done
    },
  }
}

/** Says a line unless it was the last one; `forget` makes the next one news again. */
export function notifyOnce(say: (line: string) => void) {
  let last = ''
  return {
    notify(line: string): void {
      if (line !== last) say(line)
      last = line
    },
    forget(): void {
      last = ''
    },
  }
}
