import { AsyncLocalStorage } from 'node:async_hooks'
import { createLimiter, type Limiter } from '#kit/concurrency'

/** Whether what runs was let through by a limiter from here: how tests tell it from a transaction that waits by mistake. */
export const holds = new AsyncLocalStorage<true>()

/**
 * For work that keeps one connection of the platform database while it asks for others. Let through without a limit, as many at
 * once as the pool has connections would each wait for one of the rest, and everybody else with them. So only two at a time
 * in a process, of each feature that has such work; whoever can gives `tx` along instead.
 */
export function createHolding(): Limiter {
  const limiter = createLimiter({ concurrency: 2 })
  return (work) => limiter(() => holds.run(true, work))
}
