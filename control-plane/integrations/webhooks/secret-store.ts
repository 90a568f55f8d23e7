import type { Db, Tx } from '../../platform-database/database.ts'
import type { RunSql } from './store.ts'

export type SecretStore = ReturnType<typeof secretStore>
type HookOf = { table_id: number; name: string }

const known = `select s.secret_id from pg_catalog.pg_trigger t
  left join supabase_functions.hook_settings s on s.hook_table::oid = t.tgrelid and s.hook_name = t.tgname
  where t.tgrelid = $1::oid and t.tgname = $2::name
    and t.tgfoid = pg_catalog.to_regprocedure('supabase_functions.http_request()')`
const name = `insert into supabase_functions.hook_settings (hook_table, hook_name, secret_id)
  values ($1::oid::regclass, $2::name, $3)
  on conflict (hook_table, hook_name) do update set secret_id = excluded.secret_id`

export const secretStore = (db: Db, runSql: RunSql) => ({
  /** Which secret signs a hook's calls; null: none does. Undefined: there is no such hook. */
  async idOf(ref: string, hook: HookOf): Promise<string | null | undefined> {
    const parameters = [hook.table_id, hook.name]
    const [row] = await runSql(ref, { query: known, parameters, login: 'postgres' })
    if (!row) return undefined
    return typeof row['secret_id'] === 'string' ? row['secret_id'] : null
  },

  /** From now on this one signs its calls; null: none does. */
  async setId(ref: string, hook: HookOf, id: string | null): Promise<void> {
    const parameters = [hook.table_id, hook.name, id]
    await runSql(ref, { query: name, parameters, login: 'postgres' })
  },

  find: (tx: Tx, projectId: string, id: string) =>
    tx
      .selectFrom('platform.webhook_secrets')
      .select('sealed_secret')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst(),

  async count(tx: Tx, projectId: string): Promise<number> {
    const { count } = await tx
      .selectFrom('platform.webhook_secrets')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  async put(
    tx: Tx,
    row: {
      project_id: string
      id: string
      sealed_secret: string
      sealed_previous: string | null
      previous_until: Date | null
    },
  ): Promise<void> {
    await tx
      .insertInto('platform.webhook_secrets')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(row))
      .execute()
  },

  remove: (tx: Tx, projectId: string, id: string) =>
    tx
      .deleteFrom('platform.webhook_secrets')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .execute(),

  ofProject: (ref: string) =>
    db
      .selectFrom('platform.webhook_secrets as secret')
      .innerJoin('platform.projects as project', 'project.id', 'secret.project_id')
      .select([
        'secret.id',
        'secret.sealed_secret',
        'secret.sealed_previous',
        'secret.previous_until',
      ])
      .where('project.ref', '=', ref)
      .execute(),
})
