import { queueRoles } from '#contract/integrations/queues'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../../queryable.ts'
import { stateOf } from './queue-tables.ts'

/**
 * The functions that the data API exposes, by the public names and arguments. They run with the rights of the caller: rights and
 * policies of a queue's tables decide, and whoever has none there has only the functions.
 */
const functions: { call: string; drop: string; returns: string; body: string }[] = [
  {
    call: 'send(queue_name text, message jsonb, sleep_seconds integer default 0)',
    drop: 'send(text, jsonb, integer)',
    returns: 'setof bigint',
    body: 'select * from pgmq.send(queue_name, message, sleep_seconds)',
  },
  {
    call: 'send_batch(queue_name text, messages jsonb[], sleep_seconds integer default 0)',
    drop: 'send_batch(text, jsonb[], integer)',
    returns: 'setof bigint',
    body: 'select * from pgmq.send_batch(queue_name, messages, sleep_seconds)',
  },
  {
    call: 'read(queue_name text, sleep_seconds integer, n integer)',
    drop: 'read(text, integer, integer)',
    returns: 'setof pgmq.message_record',
    body: 'select * from pgmq.read(queue_name, sleep_seconds, n)',
  },
  {
    call: 'pop(queue_name text)',
    drop: 'pop(text)',
    returns: 'setof pgmq.message_record',
    body: 'select * from pgmq.pop(queue_name)',
  },
  {
    call: 'archive(queue_name text, message_id bigint)',
    drop: 'archive(text, bigint)',
    returns: 'boolean',
    body: 'select pgmq.archive(queue_name, message_id)',
  },
  {
    call: '"delete"(queue_name text, message_id bigint)',
    drop: '"delete"(text, bigint)',
    returns: 'boolean',
    body: 'select pgmq.delete(queue_name, message_id)',
  },
]
const roles = queueRoles.join(', ')

const makeSql = [
  'create schema if not exists pgmq_public',
  ...functions.flatMap(({ call, drop, returns, body }) => [
    `create or replace function pgmq_public.${call} returns ${returns}
     language sql volatile security invoker set search_path = '' as $$ ${body} $$`,
    `revoke all on function pgmq_public.${drop} from public`,
    `grant execute on function pgmq_public.${drop} to ${roles}`,
  ]),
  // Functions of pgmq run as their caller, who has to find them. What they can do is what the tables let them do.
  `grant usage on schema pgmq, pgmq_public to ${roles}`,
].join(';\n')

const dropSql = [
  ...functions.map(({ drop }) => `drop function if exists pgmq_public.${drop}`),
  `revoke usage on schema pgmq, pgmq_public from ${roles}`,
].join(';\n')

/** What somebody else has put into the schema stays, and the schema with it. */
const dropEmptySchema = `do $$
begin
  if not exists (
    select from pg_catalog.pg_depend where refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
      and refobjid = (select oid from pg_catalog.pg_namespace where nspname = 'pgmq_public')
  ) then
    drop schema if exists pgmq_public;
  end if;
end $$`

/** Makes the functions or drops them; expects a transaction around it. */
export async function setFunctions(
  db: Queryable,
  { functions: wanted }: { functions: boolean },
): Promise<{ functions: boolean }> {
  const state = await stateOf(db)
  if (!state.installed)
    throw new ApiError('conflict', 'Queues are not enabled: create the extension pgmq first')
  if (wanted) await db.query(makeSql)
  else if (state.functions) {
    await db.query(dropSql)
    await db.query(dropEmptySchema)
  }
  return { functions: wanted }
}
