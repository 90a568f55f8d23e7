import type { Db, Tx } from '../../platform-database/database.ts'

export type StoredSecret = { name: string; sealed_value: string; digest: string }

export const projectSecretStore = (db: Db) => ({
  list: (ref: string) =>
    db
      .selectFrom('platform.project_secrets as secret')
      .innerJoin('platform.projects as project', 'project.id', 'secret.project_id')
      .select(['secret.name', 'secret.digest', 'secret.updated_at'])
      .where('project.ref', '=', ref)
      .orderBy('secret.name')
      .execute(),

  sealed: (ref: string) =>
    db
      .selectFrom('platform.project_secrets as secret')
      .innerJoin('platform.projects as project', 'project.id', 'secret.project_id')
      .select(['secret.name', 'secret.sealed_value'])
      .where('project.ref', '=', ref)
      .execute(),

  async count(tx: Tx, projectId: string): Promise<number> {
    const { count } = await tx
      .selectFrom('platform.project_secrets')
      .select((all) => all.fn.countAll<string>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  async put(tx: Tx, projectId: string, secrets: readonly StoredSecret[]): Promise<void> {
    await tx
      .insertInto('platform.project_secrets')
      .values(secrets.map((secret) => ({ ...secret, project_id: projectId })))
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'name']).doUpdateSet((eb) => ({
          sealed_value: eb.ref('excluded.sealed_value'),
          digest: eb.ref('excluded.digest'),
          updated_at: new Date(),
        })),
      )
      .execute()
  },

  /** The names that were there. */
  async remove(tx: Tx, projectId: string, names: readonly string[]): Promise<string[]> {
    const gone = await tx
      .deleteFrom('platform.project_secrets')
      .where('project_id', '=', projectId)
      .where('name', 'in', names)
      .returning('name')
      .execute()
    return gone.map(({ name }) => name)
  },
})
export type ProjectSecretStore = ReturnType<typeof projectSecretStore>
