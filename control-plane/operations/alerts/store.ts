import { sql, type Selectable } from 'kysely'
import type { Condition } from '#contract/operations/alerts'
import type { Db, Tx } from '../../platform-database/database.ts'
import { createHolding } from '../../platform-database/holding.ts'
import type { Tables } from '../../platform-database/tables.ts'
import type { Found } from './conditions.ts'

export type AlertRow = Selectable<Tables['platform.alerts']>
export type DeliveryRow = Selectable<Tables['platform.alert_deliveries']>
export type SettingsRow = Selectable<Tables['platform.alert_settings']>
export type Event = DeliveryRow['event']
/** A message that is due now. */
export type Due = { id: string; event: Event; attempts: number; queued_at: Date; alert: AlertRow }
export type AlertStore = ReturnType<typeof alertStore>

/** Any number: what two control planes must not do at once. */
const evaluation = 5_054_001
/** While a message is being sent nobody else sends it; when the sender died, it is due again. */
const leaseMs = 60_000
const maxPast = 100

export const alertStore = (db: Db, holding = createHolding()) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** A transaction in which the whole installation is looked at, with other connections. */
  evaluation: <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    holding(() => db.transaction().execute(run)),

  /** Whether it is this transaction's to compare what is so with what is open. */
  async mayEvaluate(tx: Tx): Promise<boolean> {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(${evaluation}::bigint) as got`.execute(tx)
    return rows[0]?.got === true
  },

  open: (from: Db | Tx = db): Promise<AlertRow[]> =>
    from
      .selectFrom('platform.alerts')
      .selectAll()
      .where('closed_at', 'is', null)
      .orderBy('opened_at')
      .orderBy('id')
      .execute(),

  past: (): Promise<AlertRow[]> =>
    db
      .selectFrom('platform.alerts')
      .selectAll()
      .where('closed_at', 'is not', null)
      .orderBy('closed_at', 'desc')
      .orderBy('id')
      .limit(maxPast)
      .execute(),

  deliveriesOf: (ids: readonly string[]): Promise<DeliveryRow[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : db
          .selectFrom('platform.alert_deliveries')
          .selectAll()
          .where('alert_id', 'in', ids)
          .orderBy('queued_at')
          .orderBy('event', 'desc')
          .execute(),

  insert: (tx: Tx, found: Found, at: Date): Promise<AlertRow> =>
    tx
      .insertInto('platform.alerts')
      .values({ ...found, opened_at: at, closed_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),

  async setMessage(tx: Tx, id: string, message: string): Promise<void> {
    await tx.updateTable('platform.alerts').set({ message }).where('id', '=', id).execute()
  },

  async close(tx: Tx, id: string, at: Date): Promise<void> {
    await tx
      .updateTable('platform.alerts')
      .set({ closed_at: at })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .execute()
  },

  /** A message to the webhook, in the transaction of what it tells. */
  async queue(tx: Tx, alertId: string, event: Event, at: Date): Promise<void> {
    await tx
      .insertInto('platform.alert_deliveries')
      .values({
        alert_id: alertId,
        event,
        queued_at: at,
        next_at: at,
        failure: null,
        told_at: null,
        given_up_at: null,
      })
      .execute()
  },

  /**
   * The next message that is due, taken for a minute: an alert's end waits until its beginning was told. Undefined when none is.
   */
  async take(now: Date): Promise<Due | undefined> {
    const taken = await sql<{
      id: string
      event: Event
      attempts: number
      queued_at: Date
      alert_id: string
    }>`
      update platform.alert_deliveries set attempts = attempts + 1, next_at = ${new Date(now.getTime() + leaseMs)}
      where id = (
        select d.id from platform.alert_deliveries d
        where d.told_at is null and d.given_up_at is null and d.next_at <= ${now}
          and not (d.event = 'closed' and exists (
            select from platform.alert_deliveries o
            where o.alert_id = d.alert_id and o.event = 'opened' and o.told_at is null and o.given_up_at is null))
        order by d.next_at, d.id limit 1 for update skip locked)
      returning id, event, attempts, queued_at, alert_id`.execute(db)
    const [row] = taken.rows
    if (!row) return undefined
    const { alert_id, ...delivery } = row
    const alert = await db
      .selectFrom('platform.alerts')
      .selectAll()
      .where('id', '=', alert_id)
      .executeTakeFirstOrThrow()
    return { ...delivery, alert }
  },

  async settle(
    id: string,
    change: Partial<Pick<DeliveryRow, 'told_at' | 'given_up_at' | 'failure' | 'next_at'>>,
  ): Promise<void> {
    await db.updateTable('platform.alert_deliveries').set(change).where('id', '=', id).execute()
  },

  /** Forgets what ended before `moment`. */
  async prune(moment: Date): Promise<void> {
    await db.deleteFrom('platform.alerts').where('closed_at', '<', moment).execute()
  },

  settings: (from: Db | Tx = db): Promise<SettingsRow> =>
    from.selectFrom('platform.alert_settings').selectAll().executeTakeFirstOrThrow(),

  lockSettings: (tx: Tx): Promise<SettingsRow> =>
    tx.selectFrom('platform.alert_settings').selectAll().forUpdate().executeTakeFirstOrThrow(),

  async setSettings(
    tx: Tx,
    values: {
      emails?: string[]
      webhook_url?: string | null
      sealed_webhook_secret?: string | null
      muted?: Condition[]
    },
  ): Promise<void> {
    await tx
      .updateTable('platform.alert_settings')
      .set({ ...values, updated_at: new Date() })
      .execute()
  },
})
