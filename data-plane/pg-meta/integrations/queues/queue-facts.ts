import { DatabaseError } from 'pg'
import { z } from 'zod'
import {
  exactQueueLimit,
  queuePrivileges,
  queueRoles,
  queueTables,
  type Count,
  type Queue,
  type QueueDetail,
  type QueueGrant,
  type queues,
} from '#contract/integrations/queues'
import type { Output } from '#contract/endpoint'
import type { Queryable } from '../../queryable.ts'
import { rowsOf } from '../../scope.ts'
import { findTables, instant, listTables, stateOf, type QueueTables } from './queue-tables.ts'

const Plan = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })])

/** Counts as far as `exactQueueLimit`; beyond that it is as many as the planner believes, but never fewer than were counted. */
async function count(db: Queryable, table: string, where = 'true'): Promise<Count> {
  const some = `select count(*)::int as count from (select from ${table} where ${where} limit ${exactQueueLimit + 1}) as first`
  const [row] = await rowsOf<{ count: number }>(db, some, [])
  const counted = row?.count ?? 0
  if (counted <= exactQueueLimit) return { count: counted, is_estimate: false }
  const explained = `explain (format json) select from ${table} where ${where}`
  const [plan] = await rowsOf<{ 'QUERY PLAN': unknown }>(db, explained, [])
  const believed = Plan.parse(plan?.['QUERY PLAN'])[0].Plan['Plan Rows']
  return { count: Math.max(believed, counted), is_estimate: true }
}

/** undefined_table: it was dropped since it was listed. */
const gone = (error: unknown) => error instanceof DatabaseError && error.code === '42P01'

const none: Count = { count: 0, is_estimate: false }

/** The oldest is the one with the lowest number, which an index finds. */
const headRow = (table: string) => `
  select (select ${instant('enqueued_at')} from ${table} order by msg_id limit 1) as oldest,
    (select coalesce(pg_sequence_last_value(sequence), 0)::text
     from to_regclass(pg_get_serial_sequence($1, 'msg_id')) as sequence
     where has_sequence_privilege(sequence, 'select')) as sent`

async function figuresOf(
  db: Queryable,
  { table_id, queue }: QueueTables,
): Promise<Pick<Queue, 'length' | 'oldest' | 'sent'>> {
  if (table_id === null) return { length: none, oldest: null, sent: null }
  const [head] = await rowsOf<Pick<Queue, 'oldest' | 'sent'>>(db, headRow(queue), [queue])
  return {
    length: await count(db, queue),
    oldest: head?.oldest ?? null,
    sent: head?.sent ?? null,
  }
}

const shown = ({ name, type, created, table_id, archive_id, rls, policies }: QueueTables) => ({
  name,
  type,
  created,
  table_id,
  archive_id,
  rls,
  policies,
})

export async function listQueues(db: Queryable): Promise<Output<typeof queues.list>> {
  const state = await stateOf(db)
  if (!state.installed) return { ...state, queues: [] }
  const listed: Queue[] = []
  for (const tables of await listTables(db)) {
    try {
      listed.push({ ...shown(tables), ...(await figuresOf(db, tables)) })
    } catch (error) {
      if (!gone(error)) throw error
    }
  }
  return { ...state, queues: listed }
}

const grantRows = `
  select role, "table", privilege
  from unnest($1::text[]) with ordinality as r (role, nr), (values ('queue', $2::oid), ('archive', $3::oid)) as t ("table", id),
    unnest($4::text[]) with ordinality as p (privilege, np)
  where id is not null and role in (select rolname from pg_roles)
    and has_table_privilege(role, id, privilege)
  order by nr, "table" desc, np`

export const grantsOf = (db: Queryable, { table_id, archive_id }: QueueTables) =>
  rowsOf<QueueGrant>(db, grantRows, [queueRoles, table_id, archive_id, queuePrivileges])

const partitionRow = `select width as interval, kept as retention from pgmq._partitions where queue_name = $1`

export async function getQueue(db: Queryable, { name }: { name: string }): Promise<QueueDetail> {
  const tables = await findTables(db, name)
  const { queue, archive, table_id, archive_id } = tables
  const [partitions = null] =
    tables.type === 'partitioned'
      ? await rowsOf<{ interval: string; retention: string }>(db, partitionRow, [name])
      : []
  return {
    ...shown(tables),
    ...(await figuresOf(db, tables)),
    available: table_id === null ? none : await count(db, queue, 'vt <= statement_timestamp()'),
    archived: archive_id === null ? none : await count(db, archive),
    grants: await grantsOf(db, tables),
    partitions,
  }
}

export const isGranted = async (
  db: Queryable,
  tables: QueueTables,
  { role, table, privilege }: QueueGrant,
): Promise<boolean> =>
  (await grantsOf(db, tables)).some(
    (grant) => grant.role === role && grant.table === table && grant.privilege === privilege,
  )

/** Which of the two tables is meant. */
export const tableOf = (
  { queue, archive }: QueueTables,
  table: (typeof queueTables)[number],
): string => (table === 'queue' ? queue : archive)
