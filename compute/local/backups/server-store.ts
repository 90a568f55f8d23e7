import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import {
  replicationClient,
  withAdmin,
  withReader,
  type Admin,
  type Reader,
} from '../admin-session.ts'

export type StoredTable = {
  database: string
  oid: string
  /** Quoted, with its schema. */
  table: string
  /** Differs once somebody has written to the table. */
  writes: string
  /** Where its long values are, quoted; null: it has none. */
  toast: string | null
}

/** A copy of the server as a stream of tar: it begins at once, with what the WAL says until it ends (documentation, "BASE_BACKUP"). */
const baseBackup = "BASE_BACKUP (LABEL 'plinth', CHECKPOINT 'fast', WAL true, MANIFEST 'no'"
const packed = ", COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=1'"

/** Hands on what the server sends, and waits while it is told to. Returns where the WAL that is needed begins. */
export async function streamBaseBackup(
  admin: Admin,
  onData: (chunk: Buffer) => Promise<void> | undefined,
  { packs = true } = {},
): Promise<{ start: string; timeline: number }> {
  const client = replicationClient(admin, 'base backup')
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
    const copy = `${baseBackup}${packs ? packed : ''})`
    const results: unknown = await client.query(copy).catch((error: unknown) => {
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
  return withAdmin(admin, 'base backup', async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      "select setting::int as bytes from pg_settings where name = 'wal_segment_size'",
    )
    return rows[0]?.bytes ?? 0
  })
}

/** Tables of people and of the services in all databases; not those that a crash empties. */
export const storedTables = (admin: Admin): Promise<StoredTable[]> =>
  withReader(admin, async (reader) => tablesIn(reader, await reader.session('postgres', databases)))

/** The same, for whoever comes in otherwise. */
export async function tablesIn(reader: Reader, names: readonly string[]): Promise<StoredTable[]> {
  const found: StoredTable[] = []
  for (const database of names) {
    const tables = await reader.session(database, tablesOf)
    found.push(...tables.map((table) => ({ database, ...table })))
  }
  return found
}

async function databases(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where datallowconn and not datistemplate order by 1',
  )
  return rows.map(({ name }) => name)
}

/** From the catalogue alone: nothing that it names is looked into. */
async function tablesOf(client: Client): Promise<Omit<StoredTable, 'database'>[]> {
  const { rows } = await client.query<Omit<StoredTable, 'database'>>(
    `select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as table,
       concat_ws(':', c.relfilenode, pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid),
         pg_stat_get_tuples_deleted(c.oid)) as writes,
       (select format('pg_toast.%I', t.relname) from pg_class t where t.oid = c.reltoastrelid) as toast
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and c.relpersistence = 'p' and n.nspname not in ('pg_catalog', 'information_schema')
       and n.nspname not like 'pg\\_temp\\_%' and (c.relkind = 'r' or c.relispopulated)
     order by 2`,
  )
  return rows
}

/**
 * Rows of each table, in its order, read from the tables themselves. Undefined for one that is gone, or that somebody
 * holds locked, or that is another thing by now. `deep`: what is stored beside a table is read as well.
 */
export const countRows = (
  admin: Admin,
  tables: readonly StoredTable[],
  how: { deep: boolean },
): Promise<(number | undefined)[]> => withReader(admin, (reader) => rowsIn(reader, tables, how))

/** The same, for whoever comes in otherwise. */
export async function rowsIn(
  reader: Reader,
  tables: readonly StoredTable[],
  { deep }: { deep: boolean },
): Promise<(number | undefined)[]> {
  const counts = new Map<StoredTable, number | undefined>()
  for (const database of new Set(tables.map((one) => one.database)))
    await reader.session(database, async (client) => {
      await client.query(
        "set lock_timeout = '2s'; set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off",
      )
      for (const one of tables.filter((table) => table.database === database)) {
        const rows = await countOf(client, one.table, one.oid)
        counts.set(one, rows)
        if (deep && one.toast !== null && rows !== undefined) await countOf(client, one.toast)
      }
    })
  return tables.map((one) => counts.get(one))
}

/**
 * Names come quoted, from the catalogue, and may mean something else by now. A statement that is prepared holds what it
 * names and has evaluated nothing of it; only when that is the table that was listed, which has rows of its own, is it run.
 */
async function countOf(client: Client, table: string, oid?: string): Promise<number | undefined> {
  await client.query('begin')
  try {
    await client.query(['prepare counting as select count(*) as n from only', table].join(' '))
    if (oid !== undefined) {
      const { rows } = await client.query(
        "select from pg_class where oid = $1::regclass and oid = $2::oid and relkind in ('r', 'm')",
        [table, oid],
      )
      if (rows.length === 0) return undefined
    }
    const { rows } = await client.query<{ n: string }>('execute counting')
    return Number(rows[0]?.n)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Gone, or locked: nothing is known of it.
    if (code === '42P01' || code === '3F000' || code === '55P03') return undefined
    throw error
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}
