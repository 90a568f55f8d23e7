import { sql } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { StorageUse } from '#contract/storage/storage-use'
import type { Db } from '../../platform-database/database.ts'

export const storageUseStore = (db: Db) => ({
  /** Counts of projects that are not there are left out. */
  async add(uses: readonly StorageUse[]): Promise<void> {
    const told = JSON.stringify(uses)
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into platform.storage_use (project_ref, day, egress)
        select u.ref, u.day, sum(u.egress)
        from jsonb_to_recordset(${told}::jsonb) as u (ref text, day date, egress bigint)
        join platform.projects p on p.ref = u.ref and p.status <> 'REMOVED'
        where u.egress > 0 group by u.ref, u.day order by u.ref, u.day
        on conflict (project_ref, day) do update set
          egress = platform.storage_use.egress + excluded.egress`.execute(tx)
      await sql`
        insert into platform.rendered_images (project_ref, month, origin)
        select distinct u.ref, date_trunc('month', u.day)::date, u.origin
        from jsonb_to_recordset(${told}::jsonb) as u (ref text, day date, origin uuid)
        join platform.projects p on p.ref = u.ref and p.status <> 'REMOVED'
        where u.origin is not null order by 1, 2, 3
        on conflict do nothing`.execute(tx)
    })
  },

  /** Of the month that goes on; undefined when there is no such project. */
  async ofMonth(ref: string): Promise<{ tier: Tier; egress: number; renders: number } | undefined> {
    const found = await sql<{ tier: Tier; egress: string; renders: string }>`
      select o.tier, coalesce(sum(u.egress), 0) as egress,
        (select count(*) from platform.rendered_images r where r.project_ref = p.ref
           and r.month = date_trunc('month', now() at time zone 'utc')) as renders
      from platform.projects p join platform.organizations o on o.id = p.organization_id
      left join platform.storage_use u on u.project_ref = p.ref
        and u.day >= date_trunc('month', now() at time zone 'utc')
      where p.ref = ${ref} and p.status <> 'REMOVED' group by o.tier, p.ref`.execute(db)
    const [row] = found.rows
    return row && { tier: row.tier, egress: Number(row.egress), renders: Number(row.renders) }
  },
})
export type StorageUseStore = ReturnType<typeof storageUseStore>
