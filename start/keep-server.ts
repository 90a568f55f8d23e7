import { setTimeout as delay } from 'node:timers/promises'

type Options = {
  /** How it is called in what is said about it. */
  name: string
  isRunning(): Promise<boolean>
  start(): Promise<unknown>
  say(line: string): void
}

/** Milliseconds between two looks. */
const everyMs = 250
/** Milliseconds before a server that did not start is tried again: doubles up to the last. */
const waits = [250, 500, 1000, 2000]

/** Looks after a server that is a process of its own, and starts it again when it has ended. `stop` waits for a start under way. */
export function keepServer({ name, isRunning, start, say }: Options): { stop(): Promise<void> } {
  const stopped = new AbortController()
  let said = ''
  let failures = 0

  const tell = (line: string) => {
    if (line !== said) say(line)
    said = line
  }
  async function look(): Promise<void> {
    try {
      if (await isRunning()) return
      if (stopped.signal.aborted) return
      tell(`${name} ended and is started again`)
      await start()
      // The next time it ends is news again.
      said = ''
      failures = 0
    } catch (error) {
      failures += 1
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      tell(`${name} cannot be started: ${reason}`)
    }
  }
  async function lookOn(): Promise<void> {
    while (!stopped.signal.aborted) {
      const wait = waits[Math.min(failures, waits.length) - 1] ?? everyMs
      // An aborted wait is the end of the loop, which the condition above sees.
      await delay(wait, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (!stopped.signal.aborted) await look()
    }
  }
  const done = lookOn()
  return {
    async stop() {
      stopped.abort()
      await done
    },
  }
}
