import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../../platform-database/database.ts'
import { servedHostname } from '../../../platform-database/served-names-store.ts'
import type { DomainsTables } from '../../../platform-database/tables-domains.ts'
import { issuedColumns, limitedUntil, over } from './attempts-store.ts'
import type { Attempt, OrderBook, OrderedName } from './orders.ts'

export type CertificateRow = Selectable<DomainsTables['platform.hostname_certificates']>
/** A custom hostname that is to get a certificate. */
export type DueName = OrderedName & {
  project_id: string
  ref: string
  name: string
  organization_id: string
}

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

  const ofAttempt = (from: Db | Tx, { project_id, attempt }: Attempt<DueName>) =>
    from
      .updateTable('platform.hostname_certificates')
      .where('project_id', '=', project_id)
      .where('attempt', '=', attempt)

  const book: OrderBook<DueName> = {
    transaction: (run) => db.transaction().execute(run),
    limitedUntil,

    due: (at) =>
      served()
        .select([
          'project.id as project_id',
          'project.ref',
          'project.name',
          'project.organization_id',
          'own.hostname',
          'own.failures',
        ])
        // Only names whose records lead here.
        .where('custom.failing_since', 'is', null)
        .where('own.next_at', '<=', at)
        .orderBy('own.next_at')
        .limit(100)
        .execute(),

    async begin(tx, { project_id, hostname, organization_id, attempt }, { at, until }) {
      const { numUpdatedRows } = await tx
        .updateTable('platform.hostname_certificates')
        .set({ ...over, attempt, next_at: until })
        .where('project_id', '=', project_id)
        .where('hostname', '=', hostname)
        .where('next_at', '<=', at)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await tx
        .insertInto('platform.acme_attempts')
        .values({ hostname, organization_id, began_at: at })
        .execute()
      return true
    },

    async postpone(tx, { project_id, hostname }, to) {
      await tx
        .updateTable('platform.hostname_certificates')
        .set({ ...over, ...to })
        .where('project_id', '=', project_id)
        .where('hostname', '=', hostname)
        .execute()
    },

    async challenge(of, token, answer) {
      const { numUpdatedRows } = await ofAttempt(db, of)
        .set({ challenge_token: token, challenge_answer: answer })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async succeeded(tx, of, certificate, more) {
      const { numUpdatedRows } = await ofAttempt(tx, of)
        .set({ ...over, ...issuedColumns(certificate, more) })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async failed(of, to) {
      await ofAttempt(db, of)
        .set({ ...over, ...to })
        .execute()
    },

    async brokenOff(of, at) {
      await ofAttempt(db, of)
        .set({ ...over, next_at: at })
        .execute()
    },
  }

  return {
    book,
    limitedUntil,
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

    async orderNow(tx: Tx, projectId: string, at: Date): Promise<void> {
      await tx
        .updateTable('platform.hostname_certificates')
        .set({ next_at: at })
        .where('project_id', '=', projectId)
        .execute()
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
  }
}
export type CertificateStore = ReturnType<typeof certificateStore>
