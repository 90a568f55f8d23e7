import {
  longestMessage,
  type Message,
  type MessageDetail,
  type MessageState,
  type queues,
} from '#contract/integrations/queues'
import type { Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../../queryable.ts'
import { rowsOf } from '../../scope.ts'
import { tableOf } from './queue-facts.ts'
import { findArchive, findQueue, instant, type QueueTables } from './queue-tables.ts'

/** Bytes as stored, compressed perhaps: of what is larger a list shows nothing, since all of it would have to be unpacked. */
const largestPreview = 50_000
const previewLength = 300

const stateOfRow = `case when vt <= statement_timestamp() then 'available' when read_ct = 0 then 'scheduled' else 'invisible' end`
const conditions: Record<Exclude<MessageState, 'archived'>, string> = {
  available: 'vt <= statement_timestamp()',
  scheduled: 'vt > statement_timestamp() and read_ct = 0',
  invisible: 'vt > statement_timestamp() and read_ct > 0',
}

const columns = (archived: boolean) => `
  msg_id::text as id, ${archived ? `'archived'` : stateOfRow} as state, read_ct as reads,
  ${instant('enqueued_at')} as sent, ${instant(archived ? 'archived_at' : 'vt')} as at,
  case when message is null then 'null'
    when pg_column_size(message) <= ${largestPreview} then left(message::text, ${previewLength}) end as preview,
  coalesce(pg_column_size(message), 0) as bytes`

/** Messages of one kind that are found by the index of `vt` and put in order, at most. */
const fewOfKind = 5_000
/** Messages that one request looks at, at most, where there are more of the kind than that. */
const lookedAt = 20_000

type Page = { messages: Message[]; next: string | null }

/**
 * A page costs as much in a queue of millions as in a small one, whatever the planner believes of it: it is asked in forms that
 * only an index answers.
 */
export async function listMessages(
  db: Queryable,
  { name, state, order, after, limit }: Parsed<typeof queues.messages>,
): Promise<Page> {
  const archived = state === 'archived'
  const tables = await (archived ? findArchive : findQueue)(db, name)
  const table = tableOf(tables, archived ? 'archive' : 'queue')
  const [beyond, direction] = order === 'oldest' ? ['>', 'asc'] : ['<', 'desc']
  const inOrder = `($1::bigint is null or msg_id ${beyond} $1)`
  const page = (from: string, where: string, values: unknown[] = []) =>
    rowsOf<Message>(
      db,
      `select ${columns(archived)} from ${from} where ${where} order by msg_id ${direction} limit $2`,
      [after ?? null, limit, ...values],
    )
  const lastOf = (messages: readonly Message[]): string | null =>
    messages.length < limit ? null : (messages.at(-1)?.id ?? null)

  if (!state || archived) {
    const messages = await page(table, inOrder)
    return { messages, next: lastOf(messages) }
  }
  const few = await fewIds(db, table, state)
  if (few) {
    const where = `msg_id = any ($3::bigint[]) and ${inOrder} and ${conditions[state]}`
    const messages = await page(table, where, [few])
    return { messages, next: lastOf(messages) }
  }
  const looked = (what: string) =>
    `(select ${what} from ${table} where ${inOrder} order by msg_id ${direction} limit ${lookedAt})`
  const messages = await page(`${looked('*')} as looked`, conditions[state])
  if (messages.length === limit) return { messages, next: lastOf(messages) }
  const [end] = await rowsOf<{ id: string | null }>(
    db,
    `select (array_agg(msg_id::text))[${lookedAt}] as id from ${looked('msg_id')} as looked`,
    [after ?? null],
  )
  return { messages, next: end?.id ?? null }
}

/** Of all that can be read now, or of all that cannot; undefined: they are many. */
async function fewIds(
  db: Queryable,
  table: string,
  state: Exclude<MessageState, 'archived'>,
): Promise<string[] | undefined> {
  const [where, direction] =
    state === 'available'
      ? ['vt <= statement_timestamp()', 'asc']
      : ['vt > statement_timestamp()', 'desc']
  const ids = await rowsOf<{ id: string }>(
    db,
    `select msg_id::text as id from ${table} where ${where} order by vt ${direction} limit ${fewOfKind + 1}`,
    [],
  )
  return ids.length > fewOfKind ? undefined : ids.map(({ id }) => id)
}

export async function getMessage(
  db: Queryable,
  { name, id, from }: Parsed<typeof queues.message>,
): Promise<MessageDetail> {
  const archived = from === 'archive'
  const tables = await (archived ? findArchive : findQueue)(db, name)
  const row = `
    select ${columns(archived)},
      case when message is null then 'null' when length(message::text) <= ${longestMessage} then message::text end as message,
      case when length(headers::text) <= ${longestMessage} then headers::text end as headers
    from ${tableOf(tables, from)} where msg_id = $1`
  const [message] = await rowsOf<MessageDetail>(db, row, [id])
  if (!message) throw new ApiError('not_found', `There is no message ${id}`)
  return message
}

export async function sendMessage(
  db: Queryable,
  { name, message, headers, delay }: Parsed<typeof queues.send>,
): Promise<{ id: string }> {
  await findQueue(db, name)
  const send = 'select pgmq.send($1, $2::jsonb, $3::jsonb, $4::int)::text as id'
  const [sent] = await rowsOf<{ id: string }>(db, send, [name, message, headers, delay])
  if (!sent) throw new Error('pgmq.send has returned nothing')
  return sent
}

export async function postponeMessages(
  db: Queryable,
  { name, ids, seconds }: Parsed<typeof queues.postpone>,
): Promise<{ changed: number }> {
  const { queue } = await findQueue(db, name)
  const later = `update ${queue} set vt = clock_timestamp() + make_interval(secs => $2)
    where msg_id = any ($1::bigint[]) returning 1`
  return { changed: (await rowsOf(db, later, [ids, seconds])).length }
}

export async function archiveMessages(
  db: Queryable,
  { name, ids }: Parsed<typeof queues.archive>,
): Promise<{ changed: number }> {
  await findQueue(db, name)
  await findArchive(db, name)
  const archived = await rowsOf(db, 'select pgmq.archive($1, $2::bigint[])', [name, ids])
  return { changed: archived.length }
}

export async function moveMessages(
  db: Queryable,
  { name, ids, to }: Parsed<typeof queues.move>,
): Promise<{ changed: number }> {
  const from = await findQueue(db, name)
  const target = await findQueue(db, to)
  if (from.table_id === target.table_id)
    throw new ApiError('invalid_input', 'to: choose another queue')
  return sendAgain(db, { from: from.queue, to: target, ids })
}

export async function restoreMessages(
  db: Queryable,
  { name, ids }: Parsed<typeof queues.restore>,
): Promise<{ changed: number }> {
  const { archive } = await findArchive(db, name)
  return sendAgain(db, { from: archive, to: await findQueue(db, name), ids })
}

type Again = { from: string; to: QueueTables; ids: string[] }

/** In their old order, with new numbers; expects a transaction around it. */
async function sendAgain(db: Queryable, { from, to, ids }: Again): Promise<{ changed: number }> {
  const move = `
    with gone as (
      delete from ${from} where msg_id = any ($1::bigint[]) returning msg_id, message, headers
    ), batch as (
      select array_agg(message order by msg_id) as messages, array_agg(headers order by msg_id) as headers
      from gone having count(*) > 0
    )
    select sent from batch, pgmq.send_batch($2, messages, headers, clock_timestamp()) as sent`
  return { changed: (await rowsOf(db, move, [ids, to.name])).length }
}

export async function removeMessages(
  db: Queryable,
  { name, ids, from }: Parsed<typeof queues.remove>,
): Promise<{ changed: number }> {
  const tables = await (from === 'archive' ? findArchive : findQueue)(db, name)
  const remove = `delete from ${tableOf(tables, from)} where msg_id = any ($1::bigint[]) returning 1`
  return { changed: (await rowsOf(db, remove, [ids])).length }
}
