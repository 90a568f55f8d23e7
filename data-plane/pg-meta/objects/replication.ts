import type {
  Replication,
  ReplicationReader,
  ReplicationSlot,
} from '#contract/database/database-server'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

/** Where this server's WAL ends: written here, or replayed from the server that it follows. */
const now = `case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end`

const slotRows = `
  select slot_name as name, slot_type as type, plugin, database, active, temporary,
    greatest(pg_wal_lsn_diff(${now}, restart_lsn), 0)::float8 as kept_bytes,
    greatest(pg_wal_lsn_diff(${now}, coalesce(confirmed_flush_lsn, restart_lsn)), 0)::float8 as lag_bytes,
    wal_status, safe_wal_size::float8 as safe_wal_bytes
  from pg_replication_slots order by slot_name
`

const readerRows = `
  select r.pid, r.usename as user, nullif(r.application_name, '') as application,
    host(r.client_addr) as client,
    (select s.slot_name from pg_replication_slots s where s.active_pid = r.pid) as slot,
    r.state, r.sync_state,
    greatest(pg_wal_lsn_diff(${now}, coalesce(r.flush_lsn, r.sent_lsn)), 0)::float8 as lag_bytes,
    extract(epoch from r.flush_lag)::float8 as lag_seconds, r.backend_start as since
  from pg_stat_replication r order by r.backend_start
`

const serverRow = `
  select current_setting('wal_level') as wal_level,
    current_setting('max_replication_slots')::int as max_slots,
    current_setting('max_wal_senders')::int as max_readers,
    current_setting('max_slot_wal_keep_size') as max_slot_wal,
    pg_is_in_recovery() as is_replica
`

export async function getReplication(db: Queryable): Promise<Replication> {
  const [server] = await rowsOf<Omit<Replication, 'slots' | 'readers'>>(db, serverRow, [])
  if (!server) throw new Error('A select of constants has no row')
  return {
    ...server,
    slots: await rowsOf<ReplicationSlot>(db, slotRows, []),
    readers: await rowsOf<ReplicationReader>(db, readerRows, []),
  }
}

export async function dropSlot(db: Queryable, name: string): Promise<{ name: string }> {
  const known = 'select active from pg_replication_slots where slot_name = $1'
  const [slot] = await rowsOf<{ active: boolean }>(db, known, [name])
  if (!slot) throw new ApiError('not_found', `Cannot find a replication slot named ${name}`)
  // Where the database was there before Plinth, its owner may drop slots, and the function may not be there.
  const { rows } = await db.query<{ ours: boolean }>(
    "select to_regprocedure('extensions.drop_replication_slot(name)') is not null as ours",
  )
  const [drop, dropAsOwner] = [
    'select extensions.drop_replication_slot($1)',
    'select pg_drop_replication_slot($1)',
  ]
  await db.query(rows[0]?.ours === true ? drop : dropAsOwner, [name])
  return { name }
}
