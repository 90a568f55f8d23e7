import type { Transaction } from '../transaction.ts'

const one = (text: string): Transaction => ({ statements: [{ text, values: [] }] })

/** Up to where the primary has written; whatever it has acknowledged lies before. */
export const written = one('select pg_catalog.pg_current_wal_flush_lsn()')

/** Up to where a replica shows what was written. Null on a server that follows nobody. */
export const replayed = one('select pg_catalog.pg_last_wal_replay_lsn()')
