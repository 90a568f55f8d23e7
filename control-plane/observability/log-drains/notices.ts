import { dayText } from '#contract/billing/quotas'
import type { Job } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { DrainReportStore, Watched } from './reports-store.ts'
import { stateOf } from './state.ts'

type MailText = { subject: string; lines: string[]; link: { label: string; url: string } }
type Deps = {
  reports: DrainReportStore
  record: RecordChange
  /** Mails those who look after an organization; returns the jobs that send it once `tx` is committed. */
  mail: (tx: Tx, organization: { id: string }, text: MailText) => Promise<Job[]>
  startJob: (job: Job) => Promise<void>
  each: EachSubject
  /** The dashboard's own address, without a slash at its end. */
  url: string
  now: () => Date
}

const hourMs = 3_600_000
/** A drain that fails for that long is told of, once for each failure. */
export const failureMs = hourMs
/** What is lost is told of once in that time at most. */
const lossMs = 24 * hourMs

const timeText = (date: Date) => `${date.toISOString().slice(11, 16)} UTC on ${dayText(date)}`

/** Tells people of drains that do not work. */
export function createDrainNotices(deps: Deps) {
  const { reports, now } = deps

  async function tell(
    tx: Tx,
    drain: Watched,
    action: 'log-drains.fail' | 'log-drains.lose',
    after: Record<string, unknown>,
    text: Omit<MailText, 'link'>,
  ): Promise<Job[]> {
    const { ref, payer_id: organizationId, payer_slug: slug } = drain
    await deps.record(tx, {
      organizationId,
      actor: null,
      action,
      target: ref === null ? `organization:${slug}` : `project:${ref}`,
      change: { name: drain.name, of: drain.project_name ?? drain.payer_name, after },
      origin: null,
    })
    const path =
      ref === null ? `/org/${slug}/audit-log-drains` : `/project/${ref}/settings/log-drains`
    const link = { label: 'Open log drains', url: deps.url + path }
    return deps.mail(tx, { id: organizationId }, { ...text, link })
  }

  async function look(id: string): Promise<void> {
    const jobs = await reports.transaction(async (tx) => {
      const drain = await reports.watched(tx, id)
      if (!drain?.enabled) return []
      const said = await reports.ofDrains([id], tx)
      const state = stateOf(said, now())
      const { name } = drain
      const whose = drain.project_name ?? `the audit log of ${drain.payer_name}`
      const begun: Job[] = []
      const since = state.failing_since === null ? null : new Date(state.failing_since)
      const isNew = since !== null && !(drain.failure_told_at && since <= drain.failure_told_at)
      if (since && isNew && now().getTime() - since.getTime() >= failureMs) {
        await reports.failureTold(tx, id, now())
        begun.push(
          ...(await tell(
            tx,
            drain,
            'log-drains.fail',
            { failing_since: state.failing_since, error: state.last_error },
            {
              subject: `The log drain ${name} fails`,
              lines: [
                `The log drain ${name} of ${whose} has delivered nothing since ${timeText(since)}.`,
                'It is tried again and again. Entries wait for up to 24 hours; what is older is lost to the drain.',
              ],
            },
          )),
        )
      }
      const lost = said.reduce((sum, one) => sum + Number(one.lost) - Number(one.lost_told), 0)
      const toldAt = drain.loss_told_at
      if (lost > 0 && !(toldAt && now().getTime() - toldAt.getTime() < lossMs)) {
        await reports.lossTold(tx, id, now())
        begun.push(
          ...(await tell(
            tx,
            drain,
            'log-drains.lose',
            { lost },
            {
              subject: `The log drain ${name} has lost entries`,
              lines: [
                `The log drain ${name} of ${whose} has lost ${lost} entries: they waited for too long, or were refused.`,
                'They are still in the logs here, as long as the plan keeps them.',
              ],
            },
          )),
        )
      }
      return begun
    })
    for (const job of jobs) await deps.startJob(job)
  }

  return {
    round: async (): Promise<void> =>
      deps.each('log drains that do not work', await reports.troubled(), String, look),
  }
}
