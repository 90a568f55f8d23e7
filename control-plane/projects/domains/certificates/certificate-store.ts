import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../../platform-database/database.ts'
import { servedHostname } from '../../../platform-database/served-names-store.ts'
import type { DomainsTables } from '../../../platform-database/tables-domains.ts'
import { limitedUntil } from './attempts-store.ts'
import { orderBook } from './order-book-store.ts'
import type { OrderedName } from './orders.ts'

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

  const book = orderBook<DueName>(db, {
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
    organizationOf: ({ organization_id }) => organization_id,
    async toName(from, { project_id, hostname }, columns, dueAt) {
      const row = from
        .updateTable('platform.hostname_certificates')
        .set(columns)
        .where('project_id', '=', project_id)
        .where('hostname', '=', hostname)
      const asked = dueAt ? row.where('next_at', '<=', dueAt) : row
      const { numUpdatedRows } = await asked.executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async toAttempt(from, { project_id, attempt }, columns) {
      const { numUpdatedRows } = await from
        .updateTable('platform.hostname_certificates')
        .set(columns)
        .where('project_id', '=', project_id)
        .where('attempt', '=', attempt)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  })

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
