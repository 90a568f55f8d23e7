import type { Db, Tx } from '../../../platform-database/database.ts'
import type { CheckedCertificate } from './checked.ts'
import { orderLimits } from './timing.ts'

/** A row has no order any more. */
export const over = { attempt: null, challenge_token: null, challenge_answer: null } as const

/** What a row has of a new certificate. */
export const issuedColumns = (
  { certificate, version, notBefore, notAfter }: CheckedCertificate,
  { sealedKey, nextAt }: { sealedKey: string; nextAt: Date },
) => ({
  certificate,
  version,
  sealed_key: sealedKey,
  not_before: notBefore,
  not_after: notAfter,
  next_at: nextAt,
  failures: 0,
  failure: null,
})

/** `organization_id` is null for names of the installation, of which there are few. */
type Limited = { hostname: string; organization_id: string | null }

/** When the limits allow another order of a name; undefined: now. */
export async function limitedUntil(
  from: Db | Tx,
  { hostname, organization_id: organization }: Limited,
  at: Date,
): Promise<Date | undefined> {
  const { perNameAnHour, perOrganizationADay, hourMs, dayMs } = orderLimits
  async function nthLast(ms: number, n: number, of: 'hostname' | 'organization_id', is: string) {
    const row = await from
      .selectFrom('platform.acme_attempts')
      .where('began_at', '>', new Date(at.getTime() - ms))
      .select('began_at')
      .where(of, '=', is)
      .orderBy('began_at', 'desc')
      .offset(n - 1)
      .limit(1)
      .executeTakeFirst()
    return row && new Date(row.began_at.getTime() + ms)
  }
  const ends = [
    await nthLast(hourMs, perNameAnHour, 'hostname', hostname),
    organization === null
      ? undefined
      : await nthLast(dayMs, perOrganizationADay, 'organization_id', organization),
  ].filter((end) => end !== undefined)
  return ends.toSorted((a, b) => b.getTime() - a.getTime())[0]
}

/** The account at an authority, and what was ordered by it. */
export const attemptsStore = (db: Db) => ({
  async forget(before: Date): Promise<void> {
    await db.deleteFrom('platform.acme_attempts').where('began_at', '<', before).execute()
  },

  /** The sealed key of this installation's account; the first program that asks writes `made` down. */
  async accountKey(directory: string, made: () => Promise<string>, at: Date): Promise<string> {
    const find = () =>
      db
        .selectFrom('platform.acme_accounts')
        .select('sealed_key')
        .where('directory', '=', directory)
        .executeTakeFirst()
    const found = await find()
    if (found) return found.sealed_key
    await db
      .insertInto('platform.acme_accounts')
      .values({ directory, sealed_key: await made(), created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { sealed_key: key } = (await find()) ?? {}
    if (key === undefined) throw new Error('The account of the certificate authority is gone')
    return key
  },
})
export type AttemptsStore = ReturnType<typeof attemptsStore>
