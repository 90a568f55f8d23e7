import type { Selectable } from 'kysely'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { MaintenanceWindow } from '#contract/projects/upgrades'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

export type UpgradeRow = Selectable<ProjectsTables['platform.project_upgrades']>
type Ended = Pick<UpgradeRow, 'outcome' | 'failure' | 'down_ms'> & { at: Date }
export type Subject = {
  id: string
  ref: string
  name: string
  status: ProjectStatus
  organization_id: string
}

const subjects = (db: Db | Tx) =>
  db
    .selectFrom('platform.projects as project')
    .select(['project.id', 'project.ref', 'project.name', 'project.status', 'organization_id'])
    .where('project.status', '<>', 'REMOVED')

export const upgradesStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),
  lock: lockProject,
  subject: (ref: string, from: Db | Tx = db): Promise<Subject | undefined> =>
    subjects(from).where('project.ref', '=', ref).executeTakeFirst(),

  last: (projectId: string): Promise<UpgradeRow | undefined> =>
    db
      .selectFrom('platform.project_upgrades')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('ordered_at', 'desc')
      .limit(1)
      .executeTakeFirst(),

  async insert(
    tx: Tx,
    row: Pick<UpgradeRow, 'job_id' | 'project_id' | 'from_programs' | 'to_programs' | 'ordered_at'>,
  ): Promise<void> {
    await tx.insertInto('platform.project_upgrades').values(row).execute()
  },

  ofJob: (jobId: string): Promise<UpgradeRow | undefined> =>
    db
      .selectFrom('platform.project_upgrades')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirst(),

  async end(to: Db | Tx, jobId: string, { at, ...ended }: Ended): Promise<void> {
    await to
      .updateTable('platform.project_upgrades')
      .set({ finished_at: at, ...ended })
      .where('job_id', '=', jobId)
      .where('finished_at', 'is', null)
      .execute()
  },

  /** What the platform says that a project runs on. */
  async setVersion(to: Db | Tx, projectId: string, version: string): Promise<void> {
    await to
      .updateTable('platform.projects')
      .set({ db_version: version })
      .where('id', '=', projectId)
      .execute()
  },

  /** Orders whose job has ended without an end for them, because somebody else ended its claim on the project. */
  leftBehind: (): Promise<(UpgradeRow & { ref: string })[]> =>
    db
      .selectFrom('platform.project_upgrades as upgrade')
      .innerJoin('platform.projects as project', 'project.id', 'upgrade.project_id')
      .innerJoin('platform.jobs as job', 'job.id', 'upgrade.job_id')
      .selectAll('upgrade')
      .select('project.ref')
      .where('upgrade.finished_at', 'is', null)
      .where('job.finished_at', 'is not', null)
      .where('project.job_id', 'is', null)
      .execute(),

  window: (projectId: string): Promise<MaintenanceWindow | undefined> =>
    db
      .selectFrom('platform.maintenance_windows')
      .select(['weekday', 'hour'])
      .where('project_id', '=', projectId)
      .executeTakeFirst(),

  async setWindow(tx: Tx, projectId: string, window: MaintenanceWindow | null): Promise<void> {
    if (window === null)
      await tx
        .deleteFrom('platform.maintenance_windows')
        .where('project_id', '=', projectId)
        .execute()
    else
      await tx
        .insertInto('platform.maintenance_windows')
        .values({ project_id: projectId, ...window })
        .onConflict((clash) => clash.column('project_id').doUpdateSet(window))
        .execute()
  },

  /** Healthy projects of whose week this is the hour. */
  inWindow: (window: MaintenanceWindow): Promise<Subject[]> =>
    subjects(db)
      .innerJoin('platform.maintenance_windows as window', 'window.project_id', 'project.id')
      .where('window.weekday', '=', window.weekday)
      .where('window.hour', '=', window.hour)
      .where('project.status', '=', 'ACTIVE_HEALTHY')
      .execute(),
})
export type UpgradesStore = ReturnType<typeof upgradesStore>
