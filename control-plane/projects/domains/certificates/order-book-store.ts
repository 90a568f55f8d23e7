import type { Updateable } from 'kysely'
import type { Db, Tx } from '../../../platform-database/database.ts'
import type { DomainsTables } from '../../../platform-database/tables-domains.ts'
import { issuedColumns, limitedUntil, over } from './attempts-store.ts'
import type { Attempt, OrderBook, OrderedName } from './orders.ts'

type Columns = Omit<Updateable<DomainsTables['platform.installation_certificates']>, 'hostname'>

/** The table that has a row for each name of one kind, with what is known of its certificate. */
export type OrderRows<Name extends OrderedName> = {
  due: OrderBook<Name>['due']
  /** Whose limit of orders a name counts for; null: none but its own. */
  organizationOf: (name: Name) => string | null
  /** Writes to the row of a name; with `dueAt` only if its next order may begin then. False: there is no such row. */
  toName: (from: Db | Tx, name: Name, columns: Columns, dueAt?: Date) => Promise<boolean>
  /** Writes to the row that has this order. False: the order is over, or not wanted any more. */
  toAttempt: (from: Db | Tx, of: Attempt<Name>, columns: Columns) => Promise<boolean>
}

/** How orders are written down, whatever kind of names they are for. */
export const orderBook = <Name extends OrderedName>(
  db: Db,
  { due, organizationOf, toName, toAttempt }: OrderRows<Name>,
): OrderBook<Name> => ({
  transaction: (run) => db.transaction().execute(run),
  due,
  limitedUntil: (tx, name, at) =>
    limitedUntil(tx, { hostname: name.hostname, organization_id: organizationOf(name) }, at),

  async begin(tx, of, { at, until }) {
    if (!(await toName(tx, of, { ...over, attempt: of.attempt, next_at: until }, at))) return false
    await tx
      .insertInto('platform.acme_attempts')
      .values({ hostname: of.hostname, organization_id: organizationOf(of), began_at: at })
      .execute()
    return true
  },
  async postpone(tx, name, to) {
    await toName(tx, name, { ...over, ...to })
  },
  challenge: (of, token, answer) =>
    toAttempt(db, of, { challenge_token: token, challenge_answer: answer }),
  succeeded: (tx, of, certificate, more) =>
    toAttempt(tx, of, { ...over, ...issuedColumns(certificate, more) }),
  async failed(of, to) {
    await toAttempt(db, of, { ...over, ...to })
  },
  async brokenOff(of, at) {
    await toAttempt(db, of, { ...over, next_at: at })
  },
})
