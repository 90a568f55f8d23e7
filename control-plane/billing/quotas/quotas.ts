import { usageIsBilled, type Tier } from '#contract/billing/plans'
import { quotaLevel, type QuotaLevel } from '#contract/billing/quotas'
import type { UsageItem, UsageMetric } from '#contract/billing/usage'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { QueueMail } from '../../operations/outgoing-mail/outgoing-mail.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { mailOf, noticeText, standingText } from './mails.ts'
import type { Metered, QuotaStore, Told } from './store.ts'

type Whose = { id: string; slug: string; name: string }
type Deps = {
  store: QuotaStore
  /** What an organization has used in a cycle so far. */
  itemsOf: (
    whose: { organizationId: string; tier: Tier; period: { start: Date; end: Date } },
    tx?: Tx,
  ) => Promise<UsageItem[]>
  /** What people call a metric. */
  nameOf: Record<UsageMetric, string>
  /** Measures now what a project stores. @throws when nobody can say */
  measureStorage: (ref: string) => Promise<void>
  /** Looks at the standing of an organization again, and sees to what follows. */
  review: (organizationId: string) => Promise<void>
  record: RecordChange
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  each: EachSubject
  /** The dashboard's own address, without a slash at its end. */
  url: string
  now: () => Date
  log: Log
}
type Found = { metric: UsageMetric; level: QuotaLevel }

/** What organizations use, beside what their plan includes; who comes near is told, and who is beyond is looked at again. */
export function createQuotas(deps: Deps) {
  const { store, now, log } = deps

  async function levelsOf(of: Metered, tx?: Tx): Promise<Found[]> {
    const period = { start: of.period_start, end: of.period_end }
    const items = await deps.itemsOf({ organizationId: of.id, tier: of.tier, period }, tx)
    const levels = items.map((item): Found & Pick<UsageItem, 'included'> => ({
      metric: item.metric,
      level: quotaLevel(item),
      included: item.included,
    }))
    const storage = levels.find(({ metric }) => metric === 'STORAGE_SIZE')
    // The average of a cycle falls slowly: whoever has deleted enough is free at once.
    if (storage?.level === 'exceeded') {
      const bytes = await store.storedNow(of.id, tx)
      if (bytes <= (storage.included ?? Infinity)) storage.level = 'near'
    }
    return levels
  }

  async function mail(
    tx: Tx,
    of: Pick<Whose, 'id'>,
    text: Parameters<typeof mailOf>[1],
  ): Promise<Job[]> {
    const jobs: Job[] = []
    for (const address of await store.addresses(tx, of.id))
      jobs.push(await deps.queueMail(tx, mailOf(address, text)))
    return jobs
  }

  /** Tells of what has come near, and of what is beyond where that is billed; what is capped has stages of its own. */
  async function tell(of: Metered, found: readonly Found[]): Promise<void> {
    const isBilled = usageIsBilled[of.tier]
    const reached = found.flatMap(({ metric, level }): Told[] =>
      level === 'fine'
        ? []
        : level === 'near'
          ? [{ metric, level }]
          : [
              { metric, level: 'near' },
              { metric, level: 'exceeded' },
            ],
    )
    const jobs = await store.transaction(async (tx) => {
      const fresh = await store.note(tx, of, reached)
      const isBeyond = (metric: UsageMetric) =>
        found.some((one) => one.metric === metric && one.level === 'exceeded')
      const begun: Job[] = []
      for (const level of ['near', 'exceeded'] as const) {
        const metrics = fresh
          .filter((one) => one.level === level)
          .filter(({ metric }) => (level === 'near' ? !isBeyond(metric) : isBilled))
          .map(({ metric }) => metric)
        if (metrics.length === 0) continue
        await deps.record(tx, {
          organizationId: of.id,
          actor: null,
          action: 'billing.quota',
          target: `organization:${of.slug}`,
          change: { after: { level, metrics: metrics.map((metric) => deps.nameOf[metric]) } },
          origin: null,
        })
        const text = noticeText(
          of,
          level,
          metrics.map((metric) => deps.nameOf[metric]),
          { isBilled, url: `${deps.url}/org/${of.slug}/usage` },
        )
        begun.push(...(await mail(tx, of, text)))
      }
      return begun
    })
    for (const job of jobs) await deps.startJob(job)
  }

  async function look(of: Metered): Promise<void> {
    const first = await levelsOf(of)
    const beyond = first.find(({ metric }) => metric === 'STORAGE_SIZE')?.level === 'exceeded'
    if (beyond) {
      const refs = await store.awakeRefs(of.id)
      await deps.each('what is stored beyond a quota', refs, String, deps.measureStorage)
    }
    const found = beyond ? await levelsOf(of) : first
    await tell(of, found)
    await deps.review(of.id)
  }

  return {
    /** Mails owners, administrators and where bills go. Returns the jobs that send it once `tx` is committed. */
    mail,

    /** Whether it uses more than its plan includes, where more is not billed. */
    async exceeds(tx: Tx, { id, tier }: { id: string; tier: Tier }): Promise<boolean> {
      if (usageIsBilled[tier]) return false
      const of = await store.find(id, tx)
      if (!of) return false
      return (await levelsOf(of, tx)).some(({ level }) => level === 'exceeded')
    },

    /** Mails what has become of an organization. Returns the jobs that send it once `tx` is committed. */
    async tellStanding(
      tx: Tx,
      news: Whose & {
        after: Parameters<typeof standingText>[1]
        restrictedAt: Date | null
      },
    ): Promise<Job[]> {
      const url = `${deps.url}/org/${news.slug}/billing`
      const { restrictedAt } = news
      return mail(tx, news, standingText(news, news.after, { restrictedAt, now: now(), url }))
    },

    async round(): Promise<void> {
      const all = await store.all()
      await deps.each('quotas of organizations', all, ({ id }) => id, look)
      log.debug({ organizations: all.length }, 'quotas were looked at')
    },
  }
}
export type Quotas = ReturnType<typeof createQuotas>
