import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../platform-database/database.ts'

export type AccountAuditStore = ReturnType<typeof accountAuditStore>
export type AuditRange = {
  userId: string
  from: Date
  to: Date
  /** Entries older than the one with this id. */
  before: string | undefined
  search: string
  limit: number
}

export const accountAuditStore = (db: Db) => ({
  /** What this person did, newest first. The organization may be gone; then it has no slug. */
  entries: ({ userId, from, to, before, search, limit }: AuditRange) =>
    db
      .selectFrom('platform.audit_entries as entry')
      .leftJoin(
        'platform.organizations as organization',
        'organization.id',
        'entry.organization_id',
      )
      .select([
        'entry.id',
        'entry.actor_id',
        'entry.actor_email',
        'entry.action',
        'entry.target',
        'entry.change',
        'entry.ip',
        'entry.occurred_at',
        'organization.slug',
      ])
      .where('entry.actor_id', '=', userId)
      .where('entry.occurred_at', '>=', from)
      .where('entry.occurred_at', '<=', to)
      .$if(search !== '', (query) =>
        query.where(
          sql<SqlBool>`position(lower(${search}) in lower(entry.action || ' ' || entry.target)) > 0`,
        ),
      )
      .$if(before !== undefined, (query) => query.where('entry.id', '<', String(before)))
      .orderBy('entry.id', 'desc')
      .limit(limit)
      .execute(),
})
export type AuditRow = Awaited<ReturnType<AccountAuditStore['entries']>>[number]
