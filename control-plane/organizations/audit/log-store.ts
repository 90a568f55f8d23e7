import { sql } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { Db } from '../../platform-database/database.ts'

export type AuditRange = {
  organizationId: string
  from: Date
  to: Date | undefined
  userId: string | undefined
  projectRef: string | undefined
  action: string | undefined
  /** Entries older than the one with this id. */
  before: string | undefined
  limit: number
}
export type AuditLogStore = ReturnType<typeof auditLogStore>
export type AuditRow = Awaited<ReturnType<AuditLogStore['entries']>>[number]

/** Reading the log; writing it is audit/store.ts. */
export function auditLogStore(db: Db) {
  const within = (organizationId: string, from: Date) =>
    db
      .selectFrom('platform.audit_entries')
      .where('organization_id', '=', organizationId)
      .where('occurred_at', '>=', from)

  return {
    organization: (slug: string): Promise<{ id: string; tier: Tier } | undefined> =>
      db
        .selectFrom('platform.organizations')
        .select(['id', 'tier'])
        .where('slug', '=', slug)
        .executeTakeFirst(),

    entries: ({
      organizationId,
      from,
      to,
      userId,
      projectRef,
      action,
      before,
      limit,
    }: AuditRange) =>
      within(organizationId, from)
        .selectAll()
        .$if(to !== undefined, (query) => query.where('occurred_at', '<=', to ?? from))
        .$if(userId !== undefined, (query) => query.where('actor_id', '=', userId ?? ''))
        .$if(projectRef !== undefined, (query) =>
          query.where('target', '=', `project:${projectRef}`),
        )
        .$if(action !== undefined, (query) =>
          query.where((e) =>
            e.or([
              e('action', '=', action ?? ''),
              e(sql<boolean>`starts_with(action, ${`${action}.`})`, '=', true),
            ]),
          ),
        )
        .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Who did something since then, under the address they have used last. */
    actors: (organizationId: string, from: Date) =>
      within(organizationId, from)
        .distinctOn('actor_id')
        .select(['actor_id', 'actor_email'])
        .where('actor_id', 'is not', null)
        .orderBy('actor_id')
        .orderBy('id', 'desc')
        .execute(),

    actions: async (organizationId: string, from: Date): Promise<string[]> =>
      (
        await within(organizationId, from).select('action').distinct().orderBy('action').execute()
      ).map((row) => row.action),

    /** Removed ones too: what happened to them is what one may look for. */
    projects: (organizationId: string) =>
      db
        .selectFrom('platform.projects')
        .select(['ref', 'name'])
        .where('organization_id', '=', organizationId)
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .limit(1000)
        .execute(),

    slugOf: async (organizationId: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom('platform.organizations')
          .select('slug')
          .where('id', '=', organizationId)
          .executeTakeFirst()
      )?.slug,

    /**
     * What came after an entry, or from a moment on, oldest first. Who writes an entry holds the organization's chain until the
     * commit, and takes the number in it: none comes into sight after one with a higher number (`lockChain`).
     */
    following: (organizationId: string, after: string | undefined, since: Date, limit: number) =>
      db
        .selectFrom('platform.audit_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
        .$if(after === undefined, (query) => query.where('occurred_at', '>=', since))
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The chain in its own order, a piece at a time. */
    chain: (organizationId: string, after: string, limit: number) =>
      db
        .selectFrom('platform.audit_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
