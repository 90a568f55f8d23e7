import { sql } from 'kysely'
import type { Tier } from '#contract/plans'
import type { StorageUse } from '#contract/storage-use'
import type { Db } from '../database/database.ts'

export const storageUseStore = (db: Db) => ({
  /** Counts of projects that are not there are left out. */
  async add(uses: readonly StorageUse[]): Promise<void> {
    await sql`
      insert into platform.storage_use (project_ref, day, egress, renders)
      select u.ref, u.day, sum(u.egress), sum(u.renders)
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as u (ref text, day date, egress bigint, renders bigint)
      join platform.projects p on p.ref = u.ref
      group by u.ref, u.day order by u.ref, u.day
      on conflict (project_ref, day) do update set
        egress = platform.storage_use.egress + excluded.egress,
        renders = platform.storage_use.renders + excluded.renders`.execute(db)
  },

  /** Of the month that goes on; undefined when there is no such project. */
  async ofMonth(ref: string): Promise<{ tier: Tier; egress: number; renders: number } | undefined> {
    const found = await sql<{ tier: Tier; egress: string; renders: string }>`
      select o.tier, coalesce(sum(u.egress), 0) as egress, coalesce(sum(u.renders), 0) as renders
      from platform.projects p join platform.organizations o on o.id = p.organization_id
      left join platform.storage_use u on u.project_ref = p.ref
        and u.day >= date_trunc('month', now() at time zone 'utc')
      where p.ref = ${ref} and p.status <> 'REMOVED' group by o.tier`.execute(db)
    const [row] = found.rows
    return row && { tier: row.tier, egress: Number(row.egress), renders: Number(row.renders) }
  },
})
export type StorageUseStore = ReturnType<typeof storageUseStore>
