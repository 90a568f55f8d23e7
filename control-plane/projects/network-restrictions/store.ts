import { sql } from 'kysely'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'

import { createHolding } from '../../platform-database/holding.ts'

export type NetworkStore = ReturnType<typeof networkStore>

/** In these no job is at work on the server; what a job makes or starts anew is given its networks afterwards. */
const atRest: ProjectStatus[] = [
  'ACTIVE_HEALTHY',
  'ACTIVE_UNHEALTHY',
  'INACTIVE',
  'PAUSE_FAILED',
  'RESTORE_FAILED',
]

export const networkStore = (db: Db, holding = createHolding()) => ({
  allowed: (ref: string) =>
    db
      .selectFrom('platform.projects')
      .select(['allowed_networks', 'networks_applied'])
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst(),

  /** What is wanted from now on; the server does not have it yet. */
  async set(tx: Tx, ref: string, networks: readonly string[] | null): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({
        allowed_networks: networks && [...networks],
        networks_applied: false,
        updated_at: new Date(),
      })
      .where('ref', '=', ref)
      .execute()
  },

  /** Runs `work` unless somebody else does it for the project just now, in this process or another one. */
  alone: (ref: string, work: () => Promise<void>): Promise<void> =>
    holding(() =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${`networks ${ref}`}, 0)) as mine`.execute(
          tx,
        )
        if (rows[0]?.mine === true) await work()
      }),
    ),

  /** What the server of a project is still to be given; undefined: nothing, or not now. */
  desired: (ref: string): Promise<{ allowed_networks: string[] | null } | undefined> =>
    db
      .selectFrom('platform.projects')
      .select('allowed_networks')
      .where('ref', '=', ref)
      .where('networks_applied', '=', false)
      .where('status', 'in', atRest)
      .executeTakeFirst(),

  /** Refs of the projects whose server does not have its networks yet. */
  async unapplied(): Promise<string[]> {
    const rows = await db
      .selectFrom('platform.projects')
      .select('ref')
      .where('networks_applied', '=', false)
      .where('status', 'in', atRest)
      .orderBy('id')
      .execute()
    return rows.map(({ ref }) => ref)
  },

  /** Notes that the server has these, if they are still the ones that are wanted. */
  async applied(ref: string, networks: readonly string[] | null): Promise<void> {
    await db
      .updateTable('platform.projects')
      .set({ networks_applied: true })
      .where('ref', '=', ref)
      .where(sql<boolean>`allowed_networks is not distinct from ${networks}::text[]`)
      .execute()
  },
})
