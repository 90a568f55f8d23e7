import type { Pool } from 'pg'

/** What a reader may do in a topic, by the policies of realtime.messages. */
export type Access = {
  broadcast: { read: boolean; write: boolean }
  presence: { read: boolean; write: boolean }
}
type Asked = { topic: string; role: string; claims: string; headers: string }

/** Public channels are for everybody. */
export const fullAccess: Access = {
  broadcast: { read: true, write: true },
  presence: { read: true, write: true },
}

/** Asks the policies. Rejects with the error of the database when a policy fails, or there is no such role. */
export async function accessTo(
  pool: Pool,
  { topic, role, claims, headers }: Asked,
): Promise<Access> {
  const { rows } = await pool.query<{ extension: string; may_read: boolean; may_write: boolean }>(
    `select e.extension, a.may_read, a.may_write from unnest(array['broadcast', 'presence']) as e (extension)
     cross join lateral realtime.access_to($1, $2, $3, $4, e.extension) a`,
    [topic, role, claims, headers],
  )
  const of = (extension: string) => {
    const row = rows.find((found) => found.extension === extension)
    return { read: row?.may_read ?? false, write: row?.may_write ?? false }
  }
  return { broadcast: of('broadcast'), presence: of('presence') }
}

export type Stored = { id: string; event: string; payload: unknown; binary: Buffer | null }

/** The newest messages of a private topic since a moment, oldest first. */
export async function storedMessages(
  pool: Pool,
  { topic, since, limit }: { topic: string; since: Date; limit: number },
): Promise<Stored[]> {
  const { rows } = await pool.query<Stored>(
    `select id, event, payload, binary_payload as binary from realtime.messages
     where topic = $1 and private and extension = 'broadcast' and inserted_at >= $2::timestamptz at time zone current_setting('timezone')
     order by inserted_at desc limit $3`,
    [topic, since.toISOString(), limit],
  )
  return rows.reverse()
}

/** Makes the partitions of the next days and drops old ones. */
export async function keepPartitions(pool: Pool): Promise<void> {
  await pool.query('select realtime.keep_partitions()')
}
