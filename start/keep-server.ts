import { lookOn, notifyOnce, type Looking } from './look-on.ts'

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
export function keepServer({ name, isRunning, start, say }: Options): Looking {
  const { notify, forget } = notifyOnce(say)
  let failures = 0

  async function look(stopped: AbortSignal): Promise<void> {
    try {
      if (await isRunning()) return
      if (stopped.aborted) return
      notify(`${name} ended and is started again`)
      await start()
      // The next time it ends is news again.
      forget()
      failures = 0
    } catch (error) {
      failures += 1
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      notify(`${name} cannot be started: ${reason}`)
    }
  }
  const waitMs = () => waits[Math.min(failures, waits.length) - 1] ?? everyMs
  return lookOn(look, waitMs)
}
