import { sql } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { UsageMetric } from '#contract/billing/usage'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectStatus } from '#contract/projects/project-status'

/** In these a project's services say what it stores. */
const awake: readonly ProjectStatus[] = ['ACTIVE_HEALTHY']

/** An organization with the cycle that it is in. */
export type Metered = {
  id: string
  slug: string
  name: string
  tier: Tier
  period_start: Date
  period_end: Date
}
export type Told = { metric: UsageMetric; level: 'near' | 'exceeded' }

export const quotaStore = (db: Db) => {
  const metered = (from: Db | Tx) =>
    from
      .selectFrom('platform.organizations as organization')
      .innerJoin(
        'platform.subscriptions as subscription',
        'subscription.organization_id',
        'organization.id',
      )
      .select([
        'organization.id',
        'organization.slug',
        'organization.name',
        'organization.tier',
        'subscription.period_start',
        'subscription.period_end',
      ])
  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    find: (id: string, from: Db | Tx = db): Promise<Metered | undefined> =>
      metered(from).where('organization.id', '=', id).executeTakeFirst(),

    /** Those that have ever used anything that is counted. */
    all: (): Promise<Metered[]> =>
      metered(db)
        .where(({ or, exists, selectFrom }) =>
          or([
            exists(
              selectFrom('platform.usage_hours as hours')
                .select('hours.hour')
                .whereRef('hours.organization_id', '=', 'organization.id'),
            ),
            exists(
              selectFrom('platform.usage_sightings as sightings')
                .select('sightings.seen_at')
                .whereRef('sightings.organization_id', '=', 'organization.id'),
            ),
          ]),
        )
        .orderBy('organization.id')
        .execute(),

    /** Bytes that the organization's projects stored when each was measured last. */
    async storedNow(organizationId: string, from: Db | Tx = db): Promise<number> {
      const { rows } = await sql<{ bytes: string }>`
        select coalesce(sum(last.value), 0) as bytes
        from platform.projects p, lateral (
          select h.value from platform.usage_hours h
          where h.organization_id = p.organization_id and h.project_ref = p.ref and h.metric = 'storage_size'
          order by h.hour desc limit 1) last
        where p.organization_id = ${organizationId} and p.status <> 'REMOVED'`.execute(from)
      return Number(rows[0]?.bytes ?? 0)
    },

    /** Projects that can be asked what they store. */
    async awakeRefs(organizationId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('platform.projects')
        .select('ref')
        .where('organization_id', '=', organizationId)
        .where('status', 'in', awake)
        .orderBy('id')
        .execute()
      return rows.map(({ ref }) => ref)
    },

    /** Writes down what is to be told; returns what nobody was told of in this cycle. */
    async note(tx: Tx, { id, period_start }: Metered, told: readonly Told[]): Promise<Told[]> {
      if (told.length === 0) return []
      return tx
        .insertInto('platform.quota_notices')
        .values(told.map((one) => ({ organization_id: id, cycle_start: period_start, ...one })))
        .onConflict((conflict) => conflict.doNothing())
        .returning(['metric', 'level'])
        .execute()
    },

    /** Of its owners and administrators, and where its bills go. */
    async addresses(tx: Tx, organizationId: string): Promise<string[]> {
      const people = await tx
        .selectFrom('platform.members as member')
        .innerJoin('platform.profiles as profile', 'profile.user_id', 'member.user_id')
        .select('profile.primary_email')
        .where('member.organization_id', '=', organizationId)
        .where('member.role', 'in', ['Owner', 'Administrator'])
        .where('profile.deleted_at', 'is', null)
        .execute()
      const organization = await tx
        .selectFrom('platform.organizations')
        .select('billing_email')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      const all = [...people.map((one) => one.primary_email), organization?.billing_email ?? '']
      return [...new Set(all)].filter((address) => address !== '')
    },
  }
}
export type QuotaStore = ReturnType<typeof quotaStore>
