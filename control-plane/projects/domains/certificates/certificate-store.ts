import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../../platform-database/database.ts'
import { servedHostname } from '../../../platform-database/served-names-store.ts'
import type { DomainsTables } from '../../../platform-database/tables-domains.ts'
import type { CheckedCertificate } from './checked.ts'
import { orderLimits } from './timing.ts'

export type CertificateRow = Selectable<DomainsTables['platform.hostname_certificates']>
/** A name that is to get a certificate. */
export type DueName = {
  project_id: string
  ref: string
  name: string
  organization_id: string
  hostname: string
  failures: number
}
/** An order, by whom it is carried out. */
export type Attempt = { project_id: string; attempt: string }

export const certificateStore = (db: Db) => {
  /** Names that reach their projects now, with what is known of their certificates. */
  const served = (from: Db | Tx = db) =>
    from
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .innerJoin('platform.custom_hostnames as custom', 'custom.project_id', 'project.id')
      .innerJoin('platform.hostname_certificates as own', (join) =>
        join
          .onRef('own.project_id', '=', 'project.id')
          .onRef('own.hostname', '=', 'custom.hostname'),
      )
      .where('project.status', 'not in', ['REMOVED', 'GOING_DOWN'])
      .whereRef('own.hostname', '=', servedHostname)

  const attempts = (from: Db | Tx, since: Date) =>
    from.selectFrom('platform.acme_attempts').where('began_at', '>', since)

  /** When the limits allow another order of a name; undefined: now. */
  async function limitedUntil(
    from: Db | Tx,
    { hostname, organization_id }: Pick<DueName, 'hostname' | 'organization_id'>,
    at: Date,
  ): Promise<Date | undefined> {
    const { perNameAnHour, perOrganizationADay, hourMs, dayMs } = orderLimits
    const nthLast = async (ms: number, n: number, of: 'hostname' | 'organization_id') => {
      const row = await attempts(from, new Date(at.getTime() - ms))
        .select('began_at')
        .where(of, '=', of === 'hostname' ? hostname : organization_id)
        .orderBy('began_at', 'desc')
        .offset(n - 1)
        .limit(1)
        .executeTakeFirst()
      return row && new Date(row.began_at.getTime() + ms)
    }
    const ends = [
      await nthLast(hourMs, perNameAnHour, 'hostname'),
      await nthLast(dayMs, perOrganizationADay, 'organization_id'),
    ].filter((end) => end !== undefined)
    return ends.toSorted((a, b) => b.getTime() - a.getTime())[0]
  }

  const ofAttempt = (from: Db | Tx, { project_id, attempt }: Attempt) =>
    from
      .updateTable('platform.hostname_certificates')
      .where('project_id', '=', project_id)
      .where('attempt', '=', attempt)
  const over = { attempt: null, challenge_token: null, challenge_answer: null }

  return {
    limitedUntil,
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    find: (projectId: string, from: Db | Tx = db): Promise<CertificateRow | undefined> =>
      from
        .selectFrom('platform.hostname_certificates')
        .selectAll()
        .where('project_id', '=', projectId)
        .executeTakeFirst(),

    /** Names that are served and have no row yet. */
    async enroll(at: Date): Promise<void> {
      await sql`
        insert into platform.hostname_certificates (project_id, hostname, next_at)
        select project.id, custom.hostname, ${at}
        from platform.projects project
        join platform.organizations organization on organization.id = project.organization_id
        join platform.custom_hostnames custom on custom.project_id = project.id
        where project.status not in ('REMOVED', 'GOING_DOWN') and custom.hostname = ${servedHostname}
        on conflict do nothing`.execute(db)
    },

    /** Names whose records lead here and whose next order may begin. */
    due: (at: Date): Promise<DueName[]> =>
      served()
        .select([
          'project.id as project_id',
          'project.ref',
          'project.name',
          'project.organization_id',
          'own.hostname',
          'own.failures',
        ])
        .where('custom.failing_since', 'is', null)
        .where('own.next_at', '<=', at)
        .orderBy('own.next_at')
        .limit(100)
        .execute(),

    /** False where somebody else has begun, or the name is another one meanwhile. */
    async begin(
      tx: Tx,
      name: DueName,
      { attempt, at, until }: { attempt: string; at: Date; until: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('platform.hostname_certificates')
        .set({ ...over, attempt, next_at: until })
        .where('project_id', '=', name.project_id)
        .where('hostname', '=', name.hostname)
        .where('next_at', '<=', at)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      const { hostname, organization_id } = name
      await tx
        .insertInto('platform.acme_attempts')
        .values({ hostname, organization_id, began_at: at })
        .execute()
      return true
    },

    async postpone(tx: Tx, name: DueName, to: { next_at: Date; failure: string }): Promise<void> {
      await tx
        .updateTable('platform.hostname_certificates')
        .set({ ...over, ...to })
        .where('project_id', '=', name.project_id)
        .where('hostname', '=', name.hostname)
        .execute()
    },

    /** False where the order is not wanted any more; so it is for the others. */
    async challenge(of: Attempt, token: string, answer: string): Promise<boolean> {
      const { numUpdatedRows } = await ofAttempt(db, of)
        .set({ challenge_token: token, challenge_answer: answer })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async succeeded(
      tx: Tx,
      of: Attempt,
      { certificate, version, notBefore, notAfter }: CheckedCertificate,
      { sealedKey, nextAt }: { sealedKey: string; nextAt: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await ofAttempt(tx, of)
        .set({
          ...over,
          certificate,
          version,
          sealed_key: sealedKey,
          not_before: notBefore,
          not_after: notAfter,
          next_at: nextAt,
          failures: 0,
          failure: null,
        })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async failed(
      of: Attempt,
      to: { next_at: Date; failures: number; failure: string },
    ): Promise<void> {
      await ofAttempt(db, of)
        .set({ ...over, ...to })
        .execute()
    },

    /** The order was broken off for a reason that is none of the name's. */
    async brokenOff(of: Attempt, at: Date): Promise<void> {
      await ofAttempt(db, of)
        .set({ ...over, next_at: at })
        .execute()
    },

    async orderNow(tx: Tx, projectId: string, at: Date): Promise<void> {
      await tx
        .updateTable('platform.hostname_certificates')
        .set({ next_at: at })
        .where('project_id', '=', projectId)
        .execute()
    },

    async forgetAttempts(before: Date): Promise<void> {
      await db.deleteFrom('platform.acme_attempts').where('began_at', '<', before).execute()
    },

    /** What is shown for a name now. */
    current: (hostname: string) =>
      served()
        .select(['own.project_id', 'own.certificate', 'own.sealed_key', 'own.version'])
        .where('own.hostname', '=', hostname)
        .executeTakeFirst(),

    /** What is answered to an authority; only for the token of this very name. */
    async answer(hostname: string, token: string): Promise<string | null> {
      const row = await served()
        .select('own.challenge_answer')
        .where('own.hostname', '=', hostname)
        .where('own.challenge_token', '=', token)
        .executeTakeFirst()
      return row?.challenge_answer ?? null
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
  }
}
export type CertificateStore = ReturnType<typeof certificateStore>
