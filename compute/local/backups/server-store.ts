import { randomBytes } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { Client, withClient } from '#kit/postgres/client'

export type Admin = ClientConfig & { host: string; port: number; user: string; password: string }

export type StoredTable = {
  database: string
  /** Quoted, with its schema. */
  table: string
  /** Differs once somebody has written to the table. */
  writes: string
  /** Where its long values are, quoted; null: it has none. */
  toast: string | null
}

/** A copy of the server as a stream of tar: it begins at once, with what the WAL says until it ends (documentation, "BASE_BACKUP"). */
const baseBackup =
  "BASE_BACKUP (LABEL 'plinth', CHECKPOINT 'fast', WAL true, MANIFEST 'no', COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=1')"

/** Hands on what the server sends, and waits while it is told to. Returns where the WAL that is needed begins. */
export async function streamBaseBackup(
  admin: Admin,
  onData: (chunk: Buffer) => Promise<void> | undefined,
): Promise<{ start: string; timeline: number }> {
  const client = new Client({ ...admin, replication: 'true' } as ClientConfig)
  await client.connect()
  let failure: unknown
  // The types of pg leave out what replication needs.
  const { connection } = client as Client & { connection: CopySource }
  connection.on('copyData', ({ chunk }) => {
    if (chunk[0] !== data) return
    // A copy: pg reads the next messages into the same memory.
    const waiting = onData(Buffer.from(chunk.subarray(1)))
    if (!waiting) return
    connection.stream.pause()
    waiting.then(
      () => connection.stream.resume(),
      (error: unknown) => {
        failure ??= error
        connection.stream.destroy()
      },
    )
  })
  try {
    // Its WAL stays until this connection ends, however much is written meanwhile.
    const slot = `"backup_${randomBytes(8).toString('hex')}"`
    const create = ['CREATE_REPLICATION_SLOT', slot, 'TEMPORARY PHYSICAL RESERVE_WAL']
    await client.query(create.join(' '))
    const results: unknown = await client.query(baseBackup).catch((error: unknown) => {
      throw failure ?? error
    })
    const [first] = results as { rows: { recptr: string; tli: string }[] }[]
    const begun = first?.rows[0]
    if (!begun) throw new Error('The server did not say where its backup begins')
    return { start: begun.recptr, timeline: Number(begun.tli) }
  } finally {
    await client.end()
  }
}
type CopySource = {
  on(event: 'copyData', hear: (message: { chunk: Buffer }) => void): void
  stream: { pause(): void; resume(): void; destroy(): void }
}
/** The kind of a message that carries a part of the file. */
const data = 'd'.charCodeAt(0)

/** The name of the WAL file that a place is in. */
export const walFileOf = (start: string, timeline: number, segmentBytes: number): string => {
  const [high = '0', low = '0'] = start.split('/')
  const perId = 0x1_0000_0000 / segmentBytes
  const segment =
    Number.parseInt(high, 16) * perId + Math.floor(Number.parseInt(low, 16) / segmentBytes)
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return hex(timeline) + hex(Math.floor(segment / perId)) + hex(segment % perId)
}

export function segmentSize(admin: Admin): Promise<number> {
  return withClient(admin, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      "select setting::int as bytes from pg_settings where name = 'wal_segment_size'",
    )
    return rows[0]?.bytes ?? 0
  })
}

/** Tables of people and of the services in all databases; not those that a crash empties. */
export async function storedTables(admin: Admin): Promise<StoredTable[]> {
  const found: StoredTable[] = []
  for (const database of await databases(admin)) {
    await withClient({ ...admin, database }, async (client) => {
      const { rows } = await client.query<Omit<StoredTable, 'database'>>(
        `select format('%I.%I', n.nspname, c.relname) as table,
           concat_ws(':', c.relfilenode, pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid),
             pg_stat_get_tuples_deleted(c.oid)) as writes,
           nullif(c.reltoastrelid, 0)::regclass::text as toast
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'm') and c.relpersistence = 'p' and n.nspname not in ('pg_catalog', 'information_schema')
           and n.nspname not like 'pg\\_temp\\_%' and (c.relkind = 'r' or c.relispopulated)
         order by 1`,
      )
      found.push(...rows.map((row) => ({ database, ...row })))
    })
  }
  return found
}

async function databases(admin: Admin): Promise<string[]> {
  return withClient({ ...admin, database: 'postgres' }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where datallowconn and not datistemplate order by 1',
    )
    return rows.map(({ name }) => name)
  })
}

/**
 * Rows of each table, in its order, read from the tables themselves. Undefined for one that is gone, or that somebody
 * holds locked. `deep`: what is stored beside a table is read as well.
 */
export async function countRows(
  admin: Admin,
  tables: readonly StoredTable[],
  { deep }: { deep: boolean },
): Promise<(number | undefined)[]> {
  const counts: (number | undefined)[] = []
  for (const database of new Set(tables.map((one) => one.database))) {
    await withClient({ ...admin, database }, async (client) => {
      await client.query(
        "set statement_timeout = 0; set lock_timeout = '2s'; set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off",
      )
      for (const { table, toast } of tables.filter((one) => one.database === database)) {
        counts.push(await countOf(client, table))
        if (deep && toast !== null) await countOf(client, toast)
      }
    })
  }
  return counts
}

/** Names come quoted, from the catalogue. */
async function countOf(client: Client, table: string): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ n: string }>(
      ['select count(*) as n from', table].join(' '),
    )
    return Number(rows[0]?.n)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Gone, or locked: nothing is known of it.
    if (code === '42P01' || code === '3F000' || code === '55P03') return undefined
    throw error
  }
}
