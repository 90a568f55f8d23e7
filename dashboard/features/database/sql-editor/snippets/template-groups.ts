import { quickstarts } from './template-quickstarts.ts'
import { type Template, basics } from './templates.ts'

const statements = `select r.rolname as role, s.calls, round(s.total_exec_time::numeric, 1) as total_ms,
  round(s.mean_exec_time::numeric, 2) as mean_ms, round(s.max_exec_time::numeric, 1) as slowest_ms,
  s.rows, left(s.query, 300) as query
from extensions.pg_stat_statements s
join pg_roles r on r.oid = s.userid
where s.dbid = (select oid from pg_database where datname = current_database())`

const reports: readonly Template[] = [
  {
    name: 'pg_stat_statements report',
    description: 'All statements with their calls, times and blocks.',
    sql: `${statements}
order by s.total_exec_time desc
limit 100;`,
  },
  {
    name: 'Most frequently invoked',
    description: 'Statements that run most often.',
    sql: `${statements}
order by s.calls desc
limit 20;`,
  },
  {
    name: 'Most time consuming',
    description: 'Statements that take the most server time, all calls together.',
    sql: `${statements}
order by s.total_exec_time desc
limit 20;`,
  },
  {
    name: 'Slowest execution time',
    description: 'Statements with the longest single run.',
    sql: `${statements}
order by s.max_exec_time desc
limit 20;`,
  },
  {
    name: 'Hit rate',
    description: 'Share of reads from memory: below 0.99, more memory may help.',
    sql: `-- The part of blocks that were found in memory
select 'tables' as what,
  round(sum(heap_blks_hit) / nullif(sum(heap_blks_hit + heap_blks_read), 0), 4) as hit_rate
from pg_statio_user_tables
union all
select 'indexes',
  round(sum(idx_blks_hit) / nullif(sum(idx_blks_hit + idx_blks_read), 0), 4)
from pg_statio_user_indexes;`,
  },
  {
    name: 'Replication status report',
    description: 'Replication slots and how far each is behind.',
    sql: `select slot_name, slot_type, active, wal_status,
  pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) as behind
from pg_replication_slots
order by restart_lsn;`,
  },
]

export type TemplateGroup = { id: 'templates' | 'quickstarts'; templates: readonly Template[] }

/** Single statements and reports; and whole beginnings of an application. */
export const templateGroups: readonly TemplateGroup[] = [
  { id: 'templates', templates: [...basics, ...reports] },
  { id: 'quickstarts', templates: quickstarts },
]
