import type { Pool } from 'pg'

/** More would be at the cost of the other projects of this process. */
const mostOfAll = 50
/** How many a pool was made for. */
const usual = new WeakMap<Pool, number>()

/** The same pool, with this many connections at most from now on; undefined: as many as it was made for. */
export function limited(pool: Pool, most: number | undefined): Pool {
  const made = usual.get(pool) ?? pool.options.max
  usual.set(pool, made)
  // Read by the pool whenever it wants one more; those that are open beyond it are closed when idle.
  pool.options.max = most === undefined ? made : Math.min(most, mostOfAll)
  return pool
}
