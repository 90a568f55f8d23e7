import type { Db } from '../store.ts'

export type AuditPage = {
  action?: string | undefined
  actor?: string | undefined
  user?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** Older ones are not shown. */
  since: Date
  limit: number
  /** Time as Postgres prints it, and id. */
  after?: readonly [at: string, id: string] | undefined
}

/** An entry as JSON text, and its place. */
export type AuditLine = { line: string; at: string; id: string }

/**
 * A page of the audit entries, newest first, and one more, which says that another page follows. What many entries have
 * in common only narrows; what few have is looked up by an index of list-indexes.sql.
 */
export async function listAuditLines(db: Db, page: AuditPage): Promise<AuditLine[]> {
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const where = [`created_at >= ${param(page.since)}`]
  if (page.from) where.push(`created_at >= ${param(page.from)}`)
  if (page.to) where.push(`created_at <= ${param(page.to)}`)
  if (page.action) where.push(`payload ->> 'action' = ${param(page.action)}`)
  if (page.actor) {
    const actor = param(page.actor.toLowerCase())
    where.push(
      `(payload ->> 'actor_id' = ${actor} or lower(payload ->> 'actor_username') = ${actor})`,
    )
  }
  if (page.user) {
    const user = param(page.user.toLowerCase())
    where.push(`(payload ->> 'actor_id' = ${user} or payload #>> '{traits,user_id}' = ${user})`)
  }
  if (page.after) {
    const [at, id] = page.after
    where.push(`(created_at, id) < (${param(at)}::timestamptz, ${param(id)}::uuid)`)
  }
  const text =
    `select row_to_json(entry)::text as line, created_at::text as at, id from (` +
    `select id, created_at, ip_address, payload from auth.audit_log_entries ` +
    `where ${where.join(' and ')} order by created_at desc, id desc ` +
    `limit ${param(page.limit + 1)}) as entry`
  const { rows } = await db.query<AuditLine>(text, values)
  return rows
}
