import { randomInt } from 'node:crypto'
import type { CancelKey } from './messages.ts'

/** Who hears when somebody wants to cancel what runs for them. */
type Holder = { ref: string; cancel: () => Promise<void> }

/**
 * Keys of ours for clients, in place of the server's: with one a client cancels its own query, on whichever connection it runs at
 * that moment, and no other.
 */
export function createCancelKeys() {
  const holders = new Map<number, Holder & { secret: number }>()
  return {
    claim(holder: Holder): CancelKey {
      let processId = randomInt(1, 2 ** 31)
      while (holders.has(processId)) processId = randomInt(1, 2 ** 31)
      const secret = randomInt(-(2 ** 31), 2 ** 31)
      holders.set(processId, { ...holder, secret })
      return { processId, secret }
    },
    release: ({ processId }: CancelKey): void => void holders.delete(processId),
    /** Undefined: nobody has this key. */
    find({ processId, secret }: CancelKey): Holder | undefined {
      const found = holders.get(processId)
      return found?.secret === secret ? found : undefined
    },
  }
}
export type CancelKeys = ReturnType<typeof createCancelKeys>
