import { sql } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import { readAtOnce } from '../../platform-database/read-at-once.ts'

export type KeyState = 'current' | 'retiring' | 'former'
export type KeyRow = {
  id: string
  state: KeyState
  sealed_key: string
  made_at: Date
  /** Exactly as it is kept, to the microsecond: it tells whether a key was put to another use since. */
  since: string
}
export type KeysState = { rows: KeyRow[]; isRotating: boolean; lastFailure: string | null }
export type VaultKeyStore = ReturnType<typeof vaultKeyStore>

/** Of the job that seals with another key. */
export const rotationJob = 'vault.rotate'
const graceDays = 30

const unfinished = (ref: ReturnType<typeof sql.ref>) => sql<boolean>`exists (
  select from platform.jobs job where job.name = ${rotationJob} and job.subject = ${ref} and job.finished_at is null)`

const listed = (from: Db | Tx, projectId: string): Promise<KeyRow[]> =>
  from
    .selectFrom('platform.vault_keys')
    .select(['id', 'state', 'sealed_key', 'made_at', sql<string>`state_since::text`.as('since')])
    .where('project_id', '=', projectId)
    .orderBy('made_at')
    .execute()

async function rotates(from: Db | Tx, ref: string): Promise<boolean> {
  const row = await from
    .selectFrom('platform.jobs')
    .select('id')
    .where('name', '=', rotationJob)
    .where('subject', '=', ref)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function lastFailure(from: Db | Tx, ref: string): Promise<string | null> {
  const row = await from
    .selectFrom('platform.jobs')
    .select('failure')
    .where('name', '=', rotationJob)
    .where('subject', '=', ref)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .executeTakeFirst()
  return row?.failure ?? null
}

export const vaultKeyStore = (db: Db) => ({
  projectId: async (ref: string): Promise<string | undefined> =>
    (
      await db
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .executeTakeFirst()
    )?.id,

  list: (projectId: string, tx: Tx | Db = db): Promise<KeyRow[]> => listed(tx, projectId),

  /** False where there is a current one already. */
  async add(
    row: { id: string; project_id: string; sealed_key: string },
    tx: Tx | Db = db,
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('platform.vault_keys')
      .values({ ...row, state: 'current' })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) > 0
  },

  /** From one use to another, in either case as of now. */
  async move(projectId: string, from: KeyState[], to: KeyState, tx: Tx | Db = db): Promise<number> {
    const { numUpdatedRows } = await tx
      .updateTable('platform.vault_keys')
      .set({ state: to, state_since: sql`clock_timestamp()` })
      .where('project_id', '=', projectId)
      .where('state', 'in', from)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  },

  /** Those that are still in the use in which they were seen. */
  async retire(seen: readonly Pick<KeyRow, 'id' | 'since'>[]): Promise<void> {
    for (const { id, since } of seen)
      await db
        .updateTable('platform.vault_keys')
        .set({ state: 'former', state_since: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('state', '=', 'retiring')
        .where(sql<boolean>`state_since = ${since}::timestamptz`)
        .execute()
  },

  isRotating: (ref: string, tx: Tx | Db = db): Promise<boolean> => rotates(tx, ref),

  /** The keys and the job that goes from one to the next. A rotation ends in both, so they are read as of one moment. */
  state: (ref: string, projectId: string): Promise<KeysState> =>
    readAtOnce(db, async (tx) => ({
      rows: await listed(tx, projectId),
      isRotating: await rotates(tx, ref),
      lastFailure: await lastFailure(tx, ref),
    })),

  /** Projects that run, have keys that are to retire, and nobody at work on that. */
  async unsettled(): Promise<string[]> {
    const rows = await db
      .selectFrom('platform.projects as project')
      .select('project.ref')
      .where('project.status', '=', 'ACTIVE_HEALTHY')
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('platform.vault_keys as key')
            .select('key.id')
            .whereRef('key.project_id', '=', 'project.id')
            .where('key.state', '=', 'retiring'),
        ),
      )
      .where((eb) => eb.not(unfinished(sql.ref('project.ref'))))
      .execute()
    return rows.map(({ ref }) => ref)
  },

  /**
   * Former keys that no backup can need: none of those that are kept was taken before they retired. For a month they stay all the
   * same, for a file of which the row was lost.
   */
  async removeUnneeded(now: Date): Promise<void> {
    await sql`delete from platform.vault_keys k where k.state = 'former'
      and k.state_since < ${now}::timestamptz - make_interval(days => ${graceDays})
      and not exists (select from platform.backups b where b.project_id = k.project_id
        and coalesce(b.taken_at, b.inserted_at) <= k.state_since)`.execute(db)
  },
})
