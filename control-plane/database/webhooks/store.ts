import type { Parsed } from '#contract/endpoint'
import type { WebhookCall, webhooks } from '#contract/database/webhooks'
import type { Db, Tx } from '../../platform-database/database.ts'

/** SQL in a project's database, for callers who are authorized already. */
type RunSql = (
  ref: string,
  sql: { query: string; parameters?: readonly unknown[]; login: 'postgres' },
) => Promise<Record<string, unknown>[]>

export type WebhookStore = ReturnType<typeof webhookStore>

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

  /** Of all that can have a running database. */
  async enabled(): Promise<string[]> {
    const rows = await db
      .selectFrom('platform.webhook_projects as webhook')
      .innerJoin('platform.projects as project', 'project.id', 'webhook.project_id')
      .select('project.ref')
      .where('project.status', 'in', ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY', 'PAUSE_FAILED'])
      .orderBy('project.id')
      .execute()
    return rows.map(({ ref }) => ref)
  },

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

  async calls(
    ref: string,
    input: Omit<Parsed<typeof webhooks.calls>, 'ref'>,
  ): Promise<WebhookCall[]> {
    const rows = await runSql(ref, {
      login: 'postgres',
      query: `select h.id::float8 as id, h.hook_table_id::float8 as hook_table_id, h.hook_name,
          to_char(h.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at,
          r.status_code, left(r.content, 2000) as content, r.timed_out, r.error_msg, q.id is not null as pending
        from supabase_functions.hooks h
        left join net._http_response r on r.id = h.request_id
        left join net.http_request_queue q on q.id = h.request_id
        where ($1::bigint is null or h.hook_table_id = $1) and ($2::text is null or h.hook_name = $2)
          and ($3::bigint is null or h.id < $3)
        order by h.id desc limit $4`,
      parameters: [
        input.hook_table_id ?? null,
        input.hook_name ?? null,
        input.before ?? null,
        input.limit,
      ],
    })
    // The select list is the shape.
    return rows as WebhookCall[]
  },
})
