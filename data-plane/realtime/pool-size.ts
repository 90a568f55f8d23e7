import type { Pool } from 'pg'

const first = new WeakMap<Pool, number>()

/** The pool, from now on with at most `most` connections; null: as many as it was made with. */
export function sized(pool: Pool, max: number | null): Pool {
  const made = first.get(pool) ?? pool.options.max
  first.set(pool, made)
  pool.options.max = max ?? made
  return pool
}
