import { DatabaseError } from 'pg'
import type { queues } from '#contract/integrations/queues'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../../queryable.ts'
import { rowsOf } from '../../scope.ts'
import { isGranted, tableOf } from './queue-facts.ts'
import { findArchive, findQueue, findTables, stateOf } from './queue-tables.ts'

/**
 * Each of these expects a transaction around it. A worker that holds messages in one of its own is not waited for long:
 * whoever waits for a table has everybody else wait behind it.
 * @throws ApiError conflict when something else held the queue all the time
 */
export async function withShortWait<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  await db.query(`set local lock_timeout = '5s'`)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '55P03') throw error
    throw new ApiError(
      'conflict',
      'Another session is working on these messages and has not finished. Try again in a moment.',
    )
  }
}

const takenRow = `
  select (select queue_name from pgmq.meta where lower(queue_name) = lower($1) limit 1) as queue,
    (select relname from pg_class where relnamespace = 'pgmq'::regnamespace
     and relname in (lower('q_' || $1), lower('a_' || $1)) limit 1) as relation`

export async function createQueue(
  db: Queryable,
  input: Parsed<typeof queues.create>,
): Promise<{ name: string }> {
  const { name, type, rls } = input
  if (!(await stateOf(db)).installed)
    throw new ApiError('conflict', 'Queues are not enabled: create the extension pgmq first')
  const [taken] = await rowsOf<{ queue: string | null; relation: string | null }>(db, takenRow, [
    name,
  ])
  if (taken?.queue)
    throw new ApiError(
      'conflict',
      taken.queue === name
        ? `There is a queue named ${name}`
        : `The queue ${taken.queue} has the same tables: names do not differ by upper and lower case`,
    )
  if (taken?.relation)
    throw new ApiError('conflict', `There is something named ${taken.relation} in the schema pgmq`)
  if (type === 'partitioned') {
    const { partition_interval, retention_interval } = input
    const make = 'select pgmq.create_partitioned($1, $2, $3)'
    await rowsOf(db, make, [name, partition_interval, retention_interval])
  } else {
    await rowsOf(db, `select pgmq.${type === 'basic' ? '"create"' : 'create_unlogged'}($1)`, [name])
  }
  if (rls) await secureQueue(db, { name, rls })
  return { name }
}

export async function dropQueue(db: Queryable, { name }: { name: string }) {
  await findTables(db, name)
  await rowsOf(db, 'select pgmq.drop_queue($1)', [name])
  return { name }
}

export async function purgeQueue(
  db: Queryable,
  { name }: { name: string },
): Promise<{ changed: number }> {
  await findQueue(db, name)
  const purge = 'select pgmq.purge_queue($1)::float8 as changed'
  const [purged] = await rowsOf<{ changed: number }>(db, purge, [name])
  return { changed: purged?.changed ?? 0 }
}

export async function secureQueue(
  db: Queryable,
  { name, rls }: { name: string; rls: boolean },
): Promise<{ rls: boolean }> {
  const { queue, archive, archive_id } = await findQueue(db, name)
  for (const table of archive_id === null ? [queue] : [queue, archive])
    await rowsOf(db, `alter table ${table} ${rls ? 'enable' : 'disable'} row level security`, [])
  return { rls }
}

export async function grantOnQueue(
  db: Queryable,
  { name, granted, ...grant }: Parsed<typeof queues.grant>,
): Promise<Output<typeof queues.grant>> {
  const { role, table, privilege } = grant
  const tables = await (table === 'archive' ? findArchive : findQueue)(db, name)
  // Every part is one of a list in the contract, or quoted by the catalog.
  const [verb, to] = granted ? ['grant', 'to'] : ['revoke', 'from']
  await rowsOf(db, `${verb} ${privilege} on table ${tableOf(tables, table)} ${to} ${role}`, [])
  if ((await isGranted(db, tables, grant)) !== granted)
    throw new ApiError(
      'conflict',
      granted
        ? `${role} could not be granted ${privilege}`
        : `${role} still has ${privilege} by way of PUBLIC or another role: revoke it there`,
    )
  return { granted }
}
