import { sql } from 'kysely'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'
import { replaceDays, type Hour } from './roll-up-store.ts'

/** In these a project's database answers. */
const awake: readonly ProjectStatus[] = ['ACTIVE_HEALTHY']

export const sizeStore = (db: Db) => {
  const write = (work: (tx: Tx) => Promise<Hour[]>) =>
    db.transaction().execute(async (tx) => {
      const hours = await work(tx)
      if (hours.length > 0) await replaceDays(tx, hours)
    })
  return {
    /** Of databases and disks, as they were measured last: a paused project keeps its last sizes. */
    noteDisks: (hour: Date) =>
      write(
        async (tx) =>
          (
            await sql<Hour>`
              insert into platform.usage_hours (organization_id, project_ref, metric, hour, value)
              select p.organization_id, p.ref, s.metric, ${hour}, s.value
              from platform.project_disk d join platform.projects p on p.id = d.project_id,
                lateral (values ('database_size', d.database_bytes), ('disk_size', d.database_bytes + d.other_bytes))
                  as s (metric, value)
              where p.status <> 'REMOVED' and not p.is_dry_run order by 1, 2, 3
              on conflict (organization_id, project_ref, metric, hour) do update set value = excluded.value
                where excluded.value <> platform.usage_hours.value
              returning organization_id, project_ref, metric, hour`.execute(tx)
          ).rows,
      ),

    /** The ones whose stored objects are to be asked for in this hour. */
    async unasked(hour: Date): Promise<string[]> {
      const rows = await db
        .selectFrom('platform.projects as project')
        .select('project.ref')
        .where('project.status', 'in', awake)
        .where('project.is_dry_run', '=', false)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('platform.usage_hours as of')
                .select('of.hour')
                .whereRef('of.organization_id', '=', 'project.organization_id')
                .whereRef('of.project_ref', '=', 'project.ref')
                .where('of.metric', '=', 'storage_size')
                .where('of.hour', '=', hour),
            ),
          ),
        )
        .orderBy('project.id')
        .execute()
      return rows.map(({ ref }) => ref)
    },

    noteStorage: (ref: string, hour: Date, bytes: number) =>
      write(
        async (tx) =>
          (
            await sql<Hour>`
              insert into platform.usage_hours (organization_id, project_ref, metric, hour, value)
              select organization_id, ref, 'storage_size', ${hour}, ${bytes} from platform.projects where ref = ${ref}
              on conflict (organization_id, project_ref, metric, hour) do update set value = excluded.value
              returning organization_id, project_ref, metric, hour`.execute(tx)
          ).rows,
      ),

    /** Projects that do not answer now keep what they stored last. */
    keepStorage: (hour: Date) =>
      write(
        async (tx) =>
          (
            await sql<Hour>`
              insert into platform.usage_hours (organization_id, project_ref, metric, hour, value)
              select p.organization_id, p.ref, 'storage_size', ${hour}, last.value
              from platform.projects p, lateral (
                select h.value from platform.usage_hours h
                where h.organization_id = p.organization_id and h.project_ref = p.ref and h.metric = 'storage_size'
                order by h.hour desc limit 1) last
              where p.status <> 'REMOVED' and p.status <> all(${[...awake]}::text[]) order by 1, 2
              on conflict do nothing returning organization_id, project_ref, metric, hour`.execute(
              tx,
            )
          ).rows,
      ),
  }
}
export type SizeStore = ReturnType<typeof sizeStore>
