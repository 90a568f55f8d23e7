import { sql } from 'kysely'
import type { Tx } from '../../platform-database/database.ts'
import { chainStart, type Change } from './chain.ts'

type Entry = Change & { occurredAt: Date; previous: string; hash: string }
export type AuditStore = typeof auditStore

export const auditStore = {
  /** Makes writers of one organization's chain take turns until their transactions end; returns the last hash. */
  async lockChain(tx: Tx, organizationId: string | null): Promise<string> {
    const chain = organizationId ?? 'platform'
    await sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${chain}`}, 0))`.execute(tx)
    const last = await tx
      .selectFrom('platform.audit_entries')
      .select('hash')
      .where('organization_id', organizationId === null ? 'is' : '=', organizationId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last?.hash ?? chainStart
  },

  async append(tx: Tx, entry: Entry): Promise<void> {
    await tx
      .insertInto('platform.audit_entries')
      .values({
        organization_id: entry.organizationId,
        actor_id: entry.actor?.userId ?? null,
        actor_email: entry.actor?.email ?? null,
        action: entry.action,
        target: entry.target,
        change: JSON.stringify(entry.change),
        ip: entry.origin?.ip ?? null,
        user_agent: entry.origin?.userAgent ?? null,
        request_id: entry.origin?.requestId ?? null,
        occurred_at: entry.occurredAt,
        previous_hash: entry.previous,
        hash: entry.hash,
      })
      .execute()
  },
}
