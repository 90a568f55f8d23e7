import type { Insertable } from 'kysely'
import { selfHostedWorld } from '#contract/operations/platform-only'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type SelfHostedStore = ReturnType<typeof selfHostedStore>

export const selfHostedStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  project: (tx: Tx) =>
    tx
      .selectFrom('platform.projects')
      .select(['id', 'sealed_secrets', 'status'])
      .where('ref', '=', selfHostedWorld.projectRef)
      .executeTakeFirst(),

  /** Each of these leaves what is there. */
  async addProfile(tx: Tx, row: Insertable<Tables['platform.profiles']>): Promise<void> {
    await tx
      .insertInto('platform.profiles')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
  },

  async addOrganization(
    tx: Tx,
    row: Insertable<Tables['platform.organizations']>,
  ): Promise<string> {
    await tx
      .insertInto('platform.organizations')
      .values(row)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .execute()
    const { id } = await tx
      .selectFrom('platform.organizations')
      .select('id')
      .where('slug', '=', row.slug)
      .executeTakeFirstOrThrow()
    return id
  },

  async addOwner(tx: Tx, organization_id: string, user_id: string): Promise<void> {
    await tx
      .insertInto('platform.members')
      .values({ organization_id, user_id, role: 'Owner' })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
      .execute()
  },

  /** Its operator may have upgraded it meanwhile. */
  async setVersion(tx: Tx, db_version: string): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ db_version })
      .where('ref', '=', selfHostedWorld.projectRef)
      .execute()
  },

  hasKeys: async (tx: Tx, projectId: string): Promise<boolean> =>
    (await tx
      .selectFrom('platform.api_keys')
      .select('id')
      .where('project_id', '=', projectId)
      .limit(1)
      .executeTakeFirst()) !== undefined,

  /** Returns its id. */
  async addProject(tx: Tx, row: Insertable<Tables['platform.projects']>): Promise<string> {
    const { id } = await tx
      .insertInto('platform.projects')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
})
