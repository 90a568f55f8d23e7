import { sql } from 'kysely'
import { tiers } from '#contract/billing/plans'
import type { Db } from '../../platform-database/database.ts'
import { failuresShown, pace, tierDays } from './retention.ts'

const daysOfTiers = JSON.stringify(Object.fromEntries(tiers.map((tier) => [tier, tierDays(tier)])))

const before = (now: Date, milliseconds: number) => new Date(now.getTime() - milliseconds)

/** What the clock asks for: over all projects at once. */
export const backupRoundsStore = (db: Db) => ({
  /** Projects whose next scheduled backup is due, those that wait longest first. `nextDue` says the same of one. */
  async due(now: Date, limit: number): Promise<string[]> {
    const found = await sql<{ ref: string }>`
      select p.ref from platform.projects p join platform.organizations o on o.id = p.organization_id
      where p.status = 'ACTIVE_HEALTHY' and (${daysOfTiers}::jsonb ->> o.tier)::int > 0
        and not exists (
          select from platform.backups b where b.project_id = p.id and (b.status = 'PENDING' or (b.reason = 'scheduled'
            and b.status = 'FAILED' and b.finished_at > ${before(now, pace.afterFailure)})))
        and ((p.keeps_wal_since is not null and not exists (
            select from platform.backups b where b.project_id = p.id and b.status = 'COMPLETED'
              and b.inserted_at >= p.keeps_wal_since))
          or (p.inserted_at <= ${before(now, pace.atFirst)} and not exists (
            select from platform.backups b where b.project_id = p.id and b.reason = 'scheduled'
              and b.status = 'COMPLETED' and b.inserted_at > ${before(now, pace.between)})))
      order by (select max(b.inserted_at) from platform.backups b where b.project_id = p.id) nulls first, p.id
      limit ${limit}`.execute(db)
    return found.rows.map(({ ref }) => ref)
  },

  /** How many of the scheduled ones are being made now. */
  async scheduledNow(): Promise<number> {
    const { count } = await db
      .selectFrom('platform.backups')
      .select((e) => e.fn.countAll<string>().as('count'))
      .where('status', '=', 'PENDING')
      .where('reason', '=', 'scheduled')
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  /** Whose job ended without a word of it. */
  async abandoned(): Promise<string[]> {
    const found = await sql<{ id: string }>`
      select b.id from platform.backups b join platform.projects p on p.id = b.project_id
      where b.status = 'PENDING' and not exists (
        select from platform.jobs j where j.finished_at is null and (
          (j.name in ('backup.make', 'backup.adopt') and j.subject = b.id::text) or
          (j.name = 'project.restore-backup' and j.subject = p.ref) or
          (b.reason = 'branch' and j.name in ('project.copy', 'branch.reset') and j.subject in (
            select t.ref from platform.restores r join platform.projects t on t.id = r.project_id
            where r.backup_id = b.id))))`.execute(db)
    return found.rows.map(({ id }) => id)
  },

  /** After a change to a plan that keeps backups longer, those that are there stay longer as well. */
  async prolong(): Promise<void> {
    await sql`
      update platform.backups b set expires_at = b.inserted_at + make_interval(days => kept.days)
      from (
        select p.id, greatest((${daysOfTiers}::jsonb ->> o.tier)::int, coalesce(max(substr(u.variant, 6)::int), 0)) as days
        from platform.projects p join platform.organizations o on o.id = p.organization_id
        left join platform.add_on_usage u on u.project_ref = p.ref and u.ended_at is null and u.variant like 'pitr%'
        group by p.id, o.tier
      ) kept
      where b.project_id = kept.id and b.status = 'COMPLETED'
        and b.expires_at < b.inserted_at + make_interval(days => kept.days)`.execute(db)
  },

  /**
   * Gives up what has expired, but for the newest of a project that goes on to have backups, the one from which the
   * oldest moment of point in time recovery is reached, and all of a project from which something is being restored.
   */
  async giveUpExpired(now: Date): Promise<void> {
    await sql`
      update platform.backups b set status = 'REMOVED'
      from platform.projects p join platform.organizations o on o.id = p.organization_id
      left join platform.add_on_usage u on u.project_ref = p.ref and u.ended_at is null and u.variant like 'pitr%'
      where b.project_id = p.id and b.status = 'COMPLETED' and b.expires_at <= ${now}
        and not exists (select from platform.restores r where r.source_id = p.id and r.status = 'IN_PROGRESS')
        and ((${daysOfTiers}::jsonb ->> o.tier)::int = 0 or b.id <> (
          select n.id from platform.backups n where n.project_id = p.id and n.status = 'COMPLETED'
          order by n.taken_at desc limit 1))
        and (u.variant is null or b.id is distinct from (
          select n.id from platform.backups n where n.project_id = p.id and n.status = 'COMPLETED'
            and n.taken_at <= ${now}::timestamptz - make_interval(days => substr(u.variant, 6)::int)
          order by n.taken_at desc limit 1))`.execute(db)
    await db
      .deleteFrom('platform.backups')
      .where('status', '=', 'FAILED')
      .where('finished_at', '<=', before(now, failuresShown))
      .execute()
  },

  /** What was given up and may still have a file. */
  givenUp: () =>
    db
      .selectFrom('platform.backups as backup')
      .innerJoin('platform.projects as project', 'project.id', 'backup.project_id')
      .select(['backup.id', 'project.ref'])
      .where('backup.status', '=', 'REMOVED')
      .orderBy('backup.id')
      .limit(100)
      .execute(),

  /** Restores that nobody works on any more let go of their backups. */
  async endStaleRestores(): Promise<void> {
    await sql`
      update platform.restores r set status = 'FAILED', finished_at = now()
      from platform.projects p
      where r.project_id = p.id and r.status = 'IN_PROGRESS' and not exists (
        select from platform.jobs j where j.finished_at is null and j.subject = p.ref
          and j.name in ('project.restore-backup', 'project.clone', 'project.copy', 'branch.reset'))`.execute(
      db,
    )
  },

  /** Ids of rows begin above these from now on. */
  async passIds(ids: readonly string[]): Promise<void> {
    await sql`
      select setval('platform.backups_id_seq', highest.id)
      from (select max(id::bigint) as id from unnest(${ids}::text[]) id) highest
      where highest.id > (select last_value from platform.backups_id_seq)`.execute(db)
  },

  async idsOf(ref: string): Promise<string[]> {
    const found = await db
      .selectFrom('platform.backups as backup')
      .innerJoin('platform.projects as project', 'project.id', 'backup.project_id')
      .select('backup.id')
      .where('project.ref', '=', ref)
      .execute()
    return found.map(({ id }) => id)
  },
})
export type BackupRoundsStore = ReturnType<typeof backupRoundsStore>
