import type { RunEvent } from '#contract/database/sql/sql-query'

type Options = {
  /** False: the reader is behind; wait for `drained` before sending more. */
  send(event: RunEvent): boolean
  drained(): Promise<void>
  /** Stops and goes on with what fills the outbox. */
  pause(): void
  resume(): void
}

/**
 * Sends events in the order in which they were put here, although some of them are known a moment later than those behind
 * them. While it waits, what fills it is paused, so it holds no more than had arrived already.
 */
export function createOutbox({ send, drained, pause, resume }: Options) {
  const waiting: (RunEvent | Promise<RunEvent>)[] = []
  let working: Promise<void> | undefined

  /** Sends as far as it can at once. Answers what has to be waited for. */
  function sendNow(): Promise<unknown> | undefined {
    for (;;) {
      const next = waiting[0]
      if (next === undefined) return undefined
      if (next instanceof Promise)
        return next.then((event) => {
          waiting[0] = event
        })
      void waiting.shift()
      if (!send(next)) return drained()
    }
  }
  async function work(first: Promise<unknown>): Promise<void> {
    pause()
    for (let wait: Promise<unknown> | undefined = first; wait; wait = sendNow()) await wait
    working = undefined
    resume()
  }
  return {
    push(event: RunEvent | Promise<RunEvent>): void {
      waiting.push(event)
      if (working) return
      const wait = sendNow()
      if (wait) working = work(wait)
    },
    /** Nothing waits any more. */
    async settled(): Promise<void> {
      while (working) await working
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>
