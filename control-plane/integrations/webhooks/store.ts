import type { Db, Tx } from '../../platform-database/database.ts'
import { keepExtensionUse } from '../../platform-database/extension-use-store.ts'

/** SQL in a project's database, for callers who are authorized already. */
export type RunSql = (
  ref: string,
  sql: { query: string; parameters?: readonly unknown[]; login: 'postgres' },
) => Promise<Record<string, unknown>[]>

export type WebhookStore = ReturnType<typeof webhookStore>

const running = (db: Db) =>
  db
    .selectFrom('platform.projects as project')
    .select('project.ref')
    .where('project.status', 'in', ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY', 'PAUSE_FAILED'])
    .orderBy('project.id')

export const webhookStore = (db: Db, runSql: RunSql) => ({
  /** Undefined: there is no such project. */
  find: (ref: string) =>
    db
      .selectFrom('platform.projects as project')
      .leftJoin('platform.webhook_projects as webhook', 'webhook.project_id', 'project.id')
      .select([
        'project.id',
        'project.organization_id',
        'project.inserted_at',
        'project.sealing_ref',
        'webhook.enabled_at',
      ])
      .where('project.ref', '=', ref)
      .where('project.status', '<>', 'REMOVED')
      .executeTakeFirst(),

  /** False when they were enabled before. */
  async enable(tx: Tx, projectId: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('platform.webhook_projects')
      .values({ project_id: projectId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) > 0
  },

  /** Of all that can have a running database: those whose webhooks are enabled, or that have pg_net. */
  async enabled(): Promise<string[]> {
    const rows = await running(db)
      .where((where) =>
        where.or([
          where('project.id', 'in', (from) =>
            from.selectFrom('platform.webhook_projects').select('project_id'),
          ),
          where('project.id', 'in', (from) =>
            from.selectFrom('platform.net_projects').select('project_id'),
          ),
        ]),
      )
      .execute()
    return rows.map(({ ref }) => ref)
  },

  /** Those that have pg_net. */
  async net(): Promise<string[]> {
    const rows = await running(db)
      .where('project.id', 'in', (from) =>
        from.selectFrom('platform.net_projects').select('project_id'),
      )
      .execute()
    return rows.map(({ ref }) => ref)
  },

  /** Whether that is new. */
  keepNet: (tx: Tx, ref: string, used: boolean) =>
    keepExtensionUse(tx, 'platform.net_projects', ref, used),

  /** Makes what webhooks need in the database. Whatever waits there stays. */
  async prepare(ref: string, schema: string): Promise<void> {
    await runSql(ref, { query: schema, login: 'postgres' })
  },

  /** Leaves out calls from before a moment: they are those of the project that this one is a copy of, which makes them itself. */
  async forgetCopied(ref: string, before: Date): Promise<void> {
    await runSql(ref, {
      query: 'delete from net.http_request_queue where created_at < $1::timestamptz',
      parameters: [before.toISOString()],
      login: 'postgres',
    })
  },
})
