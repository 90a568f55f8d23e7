import type { OpenProject } from '../projects/open-project.ts'

/** Numbers of a database by the names of metrics; what it does not tell is missing. */
export type DatabaseFigures = Record<string, number>

/** All of it by functions and views of the server itself: what tenants have made of the same names is not looked at. */
const figures = `select
    d.numbackends as pg_stat_database_num_backends,
    d.xact_commit as pg_stat_database_xact_commit_total,
    d.xact_rollback as pg_stat_database_xact_rollback_total,
    d.blks_read as pg_stat_database_blks_read_total,
    d.blks_hit as pg_stat_database_blks_hit_total,
    d.tup_returned as pg_stat_database_tup_returned_total,
    d.tup_fetched as pg_stat_database_tup_fetched_total,
    d.tup_inserted as pg_stat_database_tup_inserted_total,
    d.tup_updated as pg_stat_database_tup_updated_total,
    d.tup_deleted as pg_stat_database_tup_deleted_total,
    d.conflicts as pg_stat_database_conflicts_total,
    d.deadlocks as pg_stat_database_deadlocks_total,
    d.temp_files as pg_stat_database_temp_files_total,
    d.temp_bytes as pg_stat_database_temp_bytes_total,
    c.num_timed as pg_stat_bgwriter_checkpoints_timed_total,
    c.num_requested as pg_stat_bgwriter_checkpoints_req_total,
    c.buffers_written as pg_stat_bgwriter_buffers_checkpoint_total,
    b.buffers_clean as pg_stat_bgwriter_buffers_clean_total,
    b.maxwritten_clean as pg_stat_bgwriter_maxwritten_clean_total,
    b.buffers_alloc as pg_stat_bgwriter_buffers_alloc_total,
    pg_catalog.pg_database_size(d.datid) / 1000000.0 as pg_database_size_mb,
    pg_catalog.current_setting('max_connections') as pg_settings_max_connections,
    extract(epoch from pg_catalog.pg_postmaster_start_time()) as pg_postmaster_start_time_seconds,
    (select pg_catalog.max(pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), confirmed_flush_lsn))
      from pg_catalog.pg_replication_slots where slot_name like 'realtime\\_%') as replication_realtime_lag_bytes
  from pg_catalog.pg_stat_database d, pg_catalog.pg_stat_bgwriter b, pg_catalog.pg_stat_checkpointer c
  where d.datname = pg_catalog.current_database()`

/** Of the extension itself, wherever it is; a relation of that name that is none of its own does not count. */
const statementsAt = `select n.nspname as schema from pg_catalog.pg_extension e
  join pg_catalog.pg_depend x on x.refobjid = e.oid and x.deptype = 'e' and x.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
  join pg_catalog.pg_class c on c.oid = x.objid and c.relname = 'pg_stat_statements'
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where e.extname = 'pg_stat_statements'`
const statementsOf = (
  schema: string,
) => `select pg_catalog.sum(calls) as pg_stat_statements_total_queries,
    pg_catalog.sum(total_exec_time) / 1000 as pg_stat_statements_total_time_seconds
  from "${schema.replaceAll('"', '""')}".pg_stat_statements`

/** Asks a project's database as its owner would, for 2 seconds a statement at most. @throws when it does not answer */
export async function databaseFigures(
  project: Pick<OpenProject, 'pool'>,
): Promise<DatabaseFigures> {
  const client = await project.pool('plinth_sql').connect()
  let failure: Error | undefined
  try {
    await client.query(
      `begin read only; set local statement_timeout = '2s'; set local search_path = pg_catalog`,
    )
    const found = await client.query<Record<string, unknown>>(figures)
    const place = await client.query<{ schema: string }>(statementsAt)
    const [{ schema } = { schema: undefined }] = place.rows
    const more =
      schema === undefined
        ? { rows: [] }
        : await client.query<Record<string, unknown>>(statementsOf(schema))
    await client.query('rollback')
    return numbersOf({ ...found.rows[0], ...more.rows[0] })
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // One that is in the middle of something is not used again.
    client.release(failure)
  }
}

function numbersOf(row: Record<string, unknown>): DatabaseFigures {
  const known: DatabaseFigures = {}
  for (const [name, value] of Object.entries(row)) {
    const number = value === null ? Number.NaN : Number(value)
    if (Number.isFinite(number)) known[name] = number
  }
  return known
}
