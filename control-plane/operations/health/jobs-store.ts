import { sql } from 'kysely'
import type { Health } from '#contract/operations/health'
import type { Db } from '../../platform-database/database.ts'

type Open = { id: string; name: string; subject: string; accepted_at: Date; runs: boolean }

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000
/** A mail is tried for about two hours. */
const stuckAfter = (name: string) => (name === 'mail.send' ? 3 * hourMs : hourMs)
const maxStuck = 50
const maxFailures = 20

const accepted = ({ id, name, subject, accepted_at }: Open) => ({
  id,
  name,
  subject,
  accepted_at: accepted_at.toISOString(),
})

/** The durable jobs of the installation, and the mails that they send. */
export const jobsStore = (db: Db) => ({
  async jobs(now: Date): Promise<Health['jobs']> {
    // The queue has a row for what was begun; what was only accepted has none yet.
    const open = await sql<Open>`
      select j.id, j.name, j.subject, j.accepted_at, coalesce(w.status = 'PENDING', false) as runs
      from platform.jobs j left join dbos.workflow_status w on w.workflow_uuid = j.id::text
      where j.finished_at is null order by j.accepted_at, j.id`.execute(db)
    const day = new Date(now.getTime() - dayMs)
    const ended = await sql<{ finished: number; failed: number }>`
      select count(*)::int as finished, (count(*) filter (where failure is not null))::int as failed
      from platform.jobs where finished_at > ${day}`.execute(db)
    const failures = await sql<{
      id: string
      name: string
      subject: string
      failure: string
      finished_at: Date
    }>`
      select id, name, subject, failure, finished_at from platform.jobs
      where failure is not null and finished_at is not null order by finished_at desc limit ${maxFailures}`.execute(
      db,
    )
    const [oldest] = open.rows
    const isStuck = ({ name, accepted_at }: Open) =>
      now.getTime() - accepted_at.getTime() > stuckAfter(name)
    return {
      waiting: open.rows.filter(({ runs }) => !runs).length,
      running: open.rows.filter(({ runs }) => runs).length,
      finished: ended.rows[0]?.finished ?? 0,
      failed: ended.rows[0]?.failed ?? 0,
      oldest: oldest ? accepted(oldest) : null,
      stuck: open.rows.filter(isStuck).slice(0, maxStuck).map(accepted),
      failures: failures.rows.map(({ finished_at, ...row }) => ({
        ...row,
        failure: row.failure.slice(0, 1000),
        finished_at: finished_at.toISOString(),
      })),
    }
  },

  async mails(now: Date): Promise<Health['mails']> {
    const waiting = await sql<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, min(m.queued_at) as oldest from platform.outgoing_mails m
      where m.sent_at is null and not exists (
        select from platform.jobs j where j.name = 'mail.send' and j.subject = m.id::text and j.failure is not null)`.execute(
      db,
    )
    const week = new Date(now.getTime() - 7 * dayMs)
    const lost = await sql<{ count: number }>`
      select count(*)::int as count from platform.jobs
      where name = 'mail.send' and failure is not null and finished_at > ${week}`.execute(db)
    return {
      waiting: waiting.rows[0]?.count ?? 0,
      oldest_at: waiting.rows[0]?.oldest?.toISOString() ?? null,
      given_up: lost.rows[0]?.count ?? 0,
    }
  },
})
export type JobsStore = ReturnType<typeof jobsStore>
