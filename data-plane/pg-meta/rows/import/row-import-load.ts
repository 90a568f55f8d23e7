import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import type { Log } from '#kit/log'
import type { Connections } from '../../connections.ts'
import { executeRecorded } from '../../migrations/migrations.ts'
import { columnList, copyFile, noCounts, type Counts } from './row-import.ts'
import type { ImportRecord, ImportSpool, Outcome } from './row-import-spool.ts'
import { qualified } from '../../ddl-parts.ts'

/** COPY takes as long as the file does; who does not want to wait cancels the import. */
const timeoutSql = "set statement_timeout = '24h'"
/** Two programs, or an earlier session of this one that is not quite dead, never load the same file at once. */
const alone = "select pg_advisory_xact_lock(hashtextextended('plinth import ' || $1, 0))"
const current = 'select pg_current_xact_id()::text as xid'
/** A transaction that the database has not begun yet was of a time before it was restored: its rows are not there. */
const fate = `
  select case when $1::xid8 < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status($1::xid8)
    else 'aborted' end as fate`

export type Load = {
  counts: Counts
  /** Set in the moment from which it cannot be stopped any more. */
  keeping: boolean
  stop: AbortController
}

export const newLoad = (): Load => ({
  counts: noCounts(),
  keeping: false,
  stop: new AbortController(),
})

type Deps = { connections: Connections; spool: ImportSpool; log: Log }

/**
 * Takes a file that has arrived into its table, in one transaction. Its number is written down before it is committed, so
 * that after a crash in the moment of the commit the database can say whether the rows were kept: they are there once.
 * @returns undefined when the import was cancelled or has ended elsewhere
 * @throws what the database refuses, and when it cannot be reached; nothing is kept then
 */
export async function loadImport(
  { connections, spool, log }: Deps,
  { id, who }: ImportRecord,
  load: Load,
): Promise<Outcome | undefined> {
  const key = { ref: who.ref, id }
  const { signal } = load.stop
  const db = await connections.open(who)
  const unwatch = await cancelOnStop(connections, who, db, signal, log)
  try {
    await db.query(timeoutSql)
    await db.query('begin')
    await db.query(alone, [id])
    const record = await spool.read(key)
    if (record?.phase !== 'loading') return undefined
    if (record.xid !== null && record.outcome) {
      const { rows } = await db.query<{ fate: string | null }>(fate, [record.xid])
      const [found] = rows
      if (found?.fate === 'committed') return record.outcome
      if (found?.fate === null) return { ...record.outcome, kept: false, problem: unknownFate }
    }
    await spool.write({ ...record, attempts: record.attempts + 1, xid: null, outcome: null })
    if (record.input.create) await executeRecorded(db, record.input.create, who.by)
    const badRows = spool.writeBadRows(key)
    try {
      await copyFile(db, record.input, spool.data(key), badRows, load.counts, signal)
    } finally {
      badRows.end()
      await finished(badRows)
    }
    const { rows, bad, report } = load.counts
    const kept = bad === 0 || record.input.on_bad_row === 'skip'
    const outcome: Outcome = { rows, bad, report, kept, problem: null }
    if (!kept) return outcome
    const { rows: transactions } = await db.query<{ xid: string }>(current)
    signal.throwIfAborted()
    load.keeping = true
    const xid = transactions[0]?.xid ?? null
    await spool.write({ ...record, attempts: record.attempts + 1, xid, outcome })
    await db.query('commit')
    return outcome
  } finally {
    load.keeping = false
    unwatch()
    // What was not committed is rolled back by the end of its session.
    await db.end().catch((error: unknown) => log.info({ err: error }, 'an import ended badly'))
  }
}

const unknownFate =
  'The connection was lost in the moment in which the rows were kept, and the database does not remember any more whether they were. Look into the table.'

/** A session that waits, for a lock or for a slow trigger, hears of nothing but a cancel. */
async function cancelOnStop(
  connections: Connections,
  who: ImportRecord['who'],
  db: Client,
  signal: AbortSignal,
  log: Log,
): Promise<() => void> {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const cancel = () => {
    connections
      .use(who, (other) => other.query('select pg_cancel_backend($1)', [pid]))
      .catch((error: unknown) => log.warn({ err: error }, 'an import was not cancelled'))
  }
  signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}

/**
 * Whether the table would take these columns from this person, asked before the file is sent.
 * @throws what the database refuses it for
 */
export async function tryImport(
  db: Client,
  { who, input }: Pick<ImportRecord, 'who' | 'input'>,
): Promise<void> {
  const nulls = input.columns.flatMap((name) => (name === null ? [] : 'null'))
  const target = `${qualified(input.schema, input.table)} (${columnList(input.columns)})`
  // Only planned: no trigger runs, and the rights of the person are looked at all the same.
  const sql = `explain insert into ${target} overriding system value values (${nulls.join(', ')})`
  await db.query('begin')
  await db.query("set local lock_timeout = '1s'")
  if (input.create) await executeRecorded(db, input.create, who.by)
  await db.query(sql)
  await db.query('rollback')
}
