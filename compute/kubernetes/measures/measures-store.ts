import type { DiskUse, ServerLoad } from '../../provider.ts'
import { inOwn, type Admin } from '../database-store.ts'

/** What of a data directory can grow beside the databases. */
const beside = ['pg_wal', 'pg_replslot', 'pg_logical', 'pg_multixact', 'pg_xact', 'pg_subtrans']

const one = async <T>(asked: Promise<{ rows: T[] }>): Promise<T> => {
  const [row] = (await asked).rows
  if (!row) throw new Error('The server gave no answer')
  return row
}

/**
 * What the container of a server uses, as its kernel tells every process in it, read by the server itself. Undefined where the kernel does
 * not count that way.
 */
export const loadOf = (admin: Admin, controlGroup: string): Promise<ServerLoad | undefined> =>
  inOwn(admin, async (client) => {
    const told = await one(client.query<Told>(loadSql, [controlGroup]))
    const { cpu, memory, io, connections, start } = told
    const micros = fieldOf(cpu, 'usage_usec')
    const [own, shared] = [fieldOf(memory, 'anon'), fieldOf(memory, 'shmem')]
    if (micros === undefined || own === undefined || shared === undefined) return undefined
    return {
      cpuSeconds: micros / 1_000_000,
      memoryBytes: own + shared,
      connections,
      ...(start !== null && { start }),
      ...(io !== null && { disk: { read: sumOf(io, 'rbytes'), written: sumOf(io, 'wbytes') } }),
    }
  })

type Told = {
  cpu: string | null
  memory: string | null
  io: string | null
  connections: number
  start: string | null
}
/** The process that writes checkpoints is another one after a crash, which the one that starts all others outlives. */
const loadSql = `select
  pg_read_file($1 || '/cpu.stat', 0, 65536, true) as cpu,
  pg_read_file($1 || '/memory.stat', 0, 65536, true) as memory,
  pg_read_file($1 || '/io.stat', 0, 65536, true) as io,
  count(*) filter (where backend_type = 'client backend' and pid <> pg_backend_pid())::int as connections,
  max(backend_start::text) filter (where backend_type = 'checkpointer') as start
from pg_stat_activity`

/** Of lines such as `anon 12345`. */
function fieldOf(text: string | null, name: string): number | undefined {
  const [, value] = new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '') ?? []
  return value === undefined ? undefined : Number(value)
}
/** Of lines such as `259:0 rbytes=4096 wbytes=8192`, one for each disk. */
const sumOf = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`\\b${name}=(\\d+)`, 'g'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  )

export const diskUseOf = (admin: Admin): Promise<DiskUse> =>
  inOwn(admin, async (client) => {
    const { database, other } = await one(
      client.query<{ database: string; other: string }>(diskSql, [beside]),
    )
    return { database: Number(database), other: Number(other) }
  })

/** What is removed while it is counted counts for nothing. */
const diskSql = `with recursive tree (path, is_folder, bytes) as (
    select name, true, 0::bigint from unnest($1::text[]) as name
    union all
    select t.path || '/' || name, s.isdir, case when s.isdir then 0 else s.size end
    from tree t, pg_ls_dir(t.path, true, false) as name,
      pg_stat_file(t.path || '/' || name, true) as s
    where t.is_folder
  )
  select
    (select coalesce(sum(pg_database_size(oid)), 0) from pg_database where datallowconn or datistemplate)
      + pg_tablespace_size('pg_global') as database,
    (select coalesce(sum(bytes), 0) from tree) as other`

/** Every transaction that has written something, if only what no log keeps, moves it when it commits. */
export const diskMarkOf = (admin: Admin): Promise<string> =>
  inOwn(admin, async (client) => {
    const { mark } = await one(
      client.query<{ mark: string }>('select pg_current_wal_insert_lsn()::text as mark'),
    )
    return mark
  })
