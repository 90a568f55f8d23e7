import { randomUUID } from 'node:crypto'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { EachSubject } from '#kit/subjects'
import type { Tx } from '../../../platform-database/database.ts'
import { AcmeError } from './acme-transport.ts'
import type { Acme } from './acme.ts'
import { checkCertificate, type CheckedCertificate } from './checked.ts'
import { orderMs, renewAt, waitAfter } from './timing.ts'

/** A name that is to get a certificate. */
export type OrderedName = { hostname: string; failures: number }
/** An order, by the name and by whom it is carried out. */
export type Attempt<Name> = Name & { attempt: string }

/** Where orders for names of one kind are written down. */
export type OrderBook<Name extends OrderedName> = {
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /** Names whose next order may begin. */
  due(at: Date): Promise<Name[]>
  /** When the limits allow another order of a name; undefined: now. */
  limitedUntil(tx: Tx, name: Name, at: Date): Promise<Date | undefined>
  postpone(tx: Tx, name: Name, to: { next_at: Date; failure: string }): Promise<void>
  /** False where somebody else has begun, or the name is another one meanwhile. */
  begin(tx: Tx, of: Attempt<Name>, when: { at: Date; until: Date }): Promise<boolean>
  /** False where the order is not wanted any more; so it is for the others. */
  challenge(of: Attempt<Name>, token: string, answer: string): Promise<boolean>
  succeeded(
    tx: Tx,
    of: Attempt<Name>,
    certificate: CheckedCertificate,
    more: { sealedKey: string; nextAt: Date },
  ): Promise<boolean>
  failed(of: Attempt<Name>, to: { next_at: Date; failures: number; failure: string }): Promise<void>
  /** The order was broken off for a reason that is none of the name's. */
  brokenOff(of: Attempt<Name>, at: Date): Promise<void>
}

type Deps<Name extends OrderedName> = {
  book: OrderBook<Name>
  /** What the work is called where it fails for a reason that is none of the authority's. */
  work: string
  /** What a sealed key is bound to. */
  keyIdentity: (name: Name) => string
  /** Runs with a new certificate. */
  issued: (tx: Tx, name: Name, certificate: CheckedCertificate) => Promise<void>
  accountKey: (by: Acme) => Promise<string>
  secrets: Pick<Secrets, 'seal'>
  each: EachSubject
  now: () => Date
  log: Log
}

/** Orders that go on at a time: an authority may take a minute for each. */
const width = 4

export const limitText = (until: Date) =>
  `There were too many orders for certificates. Try again after ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Orders certificates for names of one kind. Which program it is does not matter: an order begins once. */
export function createOrders<Name extends OrderedName>(deps: Deps<Name>) {
  const { book, work, keyIdentity, issued, accountKey, secrets, each, now, log } = deps

  /** Undefined: it is none's turn, or there were too many. */
  const claim = (name: Name): Promise<Attempt<Name> | undefined> =>
    book.transaction(async (tx) => {
      const at = now()
      const limit = await book.limitedUntil(tx, name, at)
      if (limit) {
        await book.postpone(tx, name, { next_at: limit, failure: limitText(limit) })
        return undefined
      }
      const of = { ...name, attempt: randomUUID() }
      const until = new Date(at.getTime() + orderMs)
      return (await book.begin(tx, of, { at, until })) ? of : undefined
    })

  async function obtain(by: Acme, of: Attempt<Name>): Promise<void> {
    const { hostname } = of
    const made = await by.obtain(await accountKey(by), {
      hostname,
      async answerWith(token, answer) {
        if (!(await book.challenge(of, token, answer)))
          throw new AcmeError('The hostname is not served any more')
      },
    })
    const checked = checkCertificate(made.certificate, { hostname, key: made.key, now: now() })
    const sealedKey = secrets.seal(made.key, keyIdentity(of))
    const nextAt = renewAt(checked)
    await book.transaction(async (tx) => {
      // Whoever has given the name up meanwhile gets nothing for it.
      if (await book.succeeded(tx, of, checked, { sealedKey, nextAt }))
        await issued(tx, of, checked)
    })
  }

  async function order(by: Acme, name: Name): Promise<void> {
    const of = await claim(name)
    if (of === undefined) return
    try {
      await obtain(by, of)
    } catch (error) {
      if (by.isEnding()) return book.brokenOff(of, now())
      const { hostname } = name
      const failure = error instanceof Error ? error.message : String(error)
      const failures = name.failures + 1
      const wait = waitAfter(failures, error instanceof AcmeError ? error.retryAfterMs : 0)
      log.warn({ hostname, failures, failure }, 'A hostname got no certificate')
      await book.failed(of, { failure, failures, next_at: new Date(now().getTime() + wait) })
    }
  }

  return {
    /** Begins what is due, and waits for it. */
    async run(by: Acme, idOf: (name: Name) => string): Promise<void> {
      const due = await book.due(now())
      await each(work, due, idOf, (name) => order(by, name), { width })
    },
  }
}
