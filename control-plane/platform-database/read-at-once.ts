import type { Db, Tx } from './database.ts'

/**
 * Several reads as of one moment. Read one after the other, an answer could say what was before a job ended beside what was
 * after, and who asks again only while the job goes on would keep that.
 */
export function readAtOnce<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(read)
}
