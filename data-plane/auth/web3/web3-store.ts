import type { Db } from '../store.ts'

/** Notes that a signed message was shown; false when it was before. What is older than `before` cannot come again. */
export async function markUsed(db: Db, hash: string, at: Date, before: Date): Promise<boolean> {
  await db.query('delete from auth.web3_messages where created_at < $1', [before])
  const { rowCount } = await db.query(
    'insert into auth.web3_messages (message_hash, created_at) values ($1, $2) on conflict do nothing',
    [hash, at],
  )
  return rowCount === 1
}
