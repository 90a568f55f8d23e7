import type { RestrictionStatus } from '#contract/billing/billing-operator'
import { ApiError } from '#kit/errors'
import type { Job, JobHandler } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { InvoiceStore } from './invoice-store.ts'
import type { RestrictionStore } from './restriction-store.ts'
import { clear, harshest, nextStage, ownCauses, restrictedAt, type Standing } from './stages.ts'
import type { BillingStore, Payer } from './store.ts'
import { daysAfter, stageTerms } from './terms.ts'

/** What owners and administrators are told of a change of their standing. */
export type StandingNews = Pick<Payer, 'id' | 'slug' | 'name'> & {
  before: Standing
  after: Standing
  /** When its projects will be restricted, where that is to come. */
  restrictedAt: Date | null
}

type Deps = {
  store: BillingStore
  standings: RestrictionStore
  invoices: InvoiceStore
  record: RecordChange
  acceptJob: AcceptJob
  /** Whether the organization uses more than its plan includes, where that is not billed. */
  exceedsQuota: (tx: Tx, payer: Pick<Payer, 'id' | 'tier'>) => Promise<boolean>
  /** By mail; returns the jobs that send it. */
  tellStanding: (tx: Tx, news: StandingNews) => Promise<Job[]>
  /** Tells every data plane, when `tx` commits, that what it knows of the organization's projects is out of date. */
  notifyProjects: (tx: Tx, organizationId: string) => Promise<void>
  /** Projects of the organization that have a database. */
  refsOf: (organizationId: string) => Promise<string[]>
  /** Makes new transactions of direct connections read only, or lets them write again. */
  setReadOnly: (ref: string, readOnly: boolean) => Promise<void>
  each: EachSubject
  now: () => Date
  log: Log
}

/** What becomes of organizations that do not pay, and of their projects. */
export function createRestriction(deps: Deps) {
  const { store, standings, invoices, now, log } = deps

  /** Moves, with its audit entry. Returns the jobs of what follows: mails, and what the projects' databases need. */
  async function move(tx: Tx, payer: Payer, to: Standing): Promise<Job[]> {
    const { restriction_status, restriction_cause, grace_period_end } = payer
    const from: Standing = { restriction_status, restriction_cause, grace_period_end }
    const isSame =
      from.restriction_status === to.restriction_status &&
      from.restriction_cause === to.restriction_cause
    if (isSame) return []
    if (!(await standings.move(tx, payer.id, from.restriction_status, to))) return []
    await deps.record(tx, {
      organizationId: payer.id,
      actor: null,
      action: 'billing.restriction',
      target: `organization:${payer.slug}`,
      change: { before: noted(from), after: noted(to) },
      origin: null,
    })
    const { id, slug, name } = payer
    const mails = await deps.tellStanding(tx, {
      id,
      slug,
      name,
      before: from,
      after: to,
      restrictedAt: restrictionOf(to),
    })
    if (![from, to].some((one) => one.restriction_status === 'restricted')) return mails
    await deps.notifyProjects(tx, payer.id)
    return [...mails, await deps.acceptJob(tx, 'billing.restrict', payer.id)]
  }

  /** Looks at one organization again. Wants its books locked. */
  async function review(tx: Tx, organizationId: string): Promise<Job[]> {
    const payer = await store.payerById(organizationId, tx)
    // What the operator has set stays.
    if (!payer || payer.restriction_cause === 'operator') return []
    const partner = payer.billing_partner !== null
    const applies = {
      overdue: !partner && (await invoices.overdueCount(payer.id, now(), tx)) > 0,
      quota: await deps.exceedsQuota(tx, payer),
    }
    const { stages: before, quotaGraceAt } = await standings.stages(tx, payer.id)
    const lastGrace = { overdue: null, quota: quotaGraceAt }
    const after = { ...before }
    for (const cause of ownCauses) {
      const look = { cause, applies: applies[cause], lastGrace: lastGrace[cause], now: now() }
      const next = nextStage(before[cause], look)
      if (next === before[cause]) continue
      after[cause] = next
      await standings.keepStage(tx, payer.id, cause, next)
      if (cause === 'quota' && next?.status === 'grace_period')
        await standings.noteQuotaGrace(tx, payer.id, now())
    }
    return move(tx, payer, harshest(after))
  }

  const handler: JobHandler = async ({ subject }, step) => {
    const failed: string[] = []
    for (const ref of await deps.refsOf(subject)) {
      const set = async () => {
        // What holds now, not when the job was accepted: a later job may have run before.
        const payer = await store.payerById(subject)
        await deps.setReadOnly(ref, payer?.restriction_status === 'restricted')
      }
      try {
        await step(`read-only ${ref}`, set, { attempts: 6, seconds: 1 })
      } catch (error) {
        // The others are told all the same; the job then fails with this one's name.
        log.error({ err: error, ref }, 'a project was not told of its restriction')
        failed.push(ref)
      }
    }
    if (failed.length > 0) throw new Error(`Not told: ${failed.join(', ')}`)
  }

  async function reviewNow(id: string, startJob: (job: Job) => Promise<void>): Promise<void> {
    const jobs = await store.transaction(async (tx) => {
      await store.lockBooks(tx, id)
      return review(tx, id)
    })
    if (jobs.length === 0) return
    log.warn({ organization: id }, 'the restriction of an organization has changed')
    for (const job of jobs) await startJob(job)
  }

  return {
    review,
    /** In a transaction of its own; `startJob` starts what the projects' databases need. */
    reviewNow,
    workflows: { 'billing.restrict': handler },

    /** Every organization that owes or is restricted. */
    async round(startJob: (job: Job) => Promise<void>): Promise<void> {
      const due = await standings.toReview(now())
      await deps.each(
        'restriction of organizations',
        due,
        ({ id }) => id,
        ({ id }) => reviewNow(id, startJob),
      )
    },

    /** By the operator's word, which ends all others; null hands it back to what comes by itself. */
    async set(tx: Tx, payer: Payer, status: RestrictionStatus | null): Promise<Job[]> {
      for (const cause of ownCauses) await standings.keepStage(tx, payer.id, cause, null)
      if (status === null) return move(tx, payer, clear)
      return move(tx, payer, {
        restriction_status: status,
        restriction_cause: 'operator',
        grace_period_end:
          status === 'grace_period'
            ? daysAfter(now(), stageTerms.overdue.graceDays)
            : payer.grace_period_end,
      })
    },

    setPartner: standings.setPartner,
  }
}
export type Restriction = ReturnType<typeof createRestriction>

const noted = (standing: Standing) => ({
  restriction_status: standing.restriction_status,
  restriction_cause: standing.restriction_cause,
  grace_period_end: standing.grace_period_end?.toISOString() ?? null,
  restricted_at: restrictionOf(standing)?.toISOString() ?? null,
})

function restrictionOf({
  restriction_status: status,
  restriction_cause: cause,
  grace_period_end: end,
}: Standing): Date | null {
  const isToCome = status === 'grace_period' || status === 'grace_period_over'
  if (!isToCome || end === null || cause === null || cause === 'operator') return null
  return restrictedAt(cause, end)
}

/** What a restricted organization may not do. */
export function refuseRestricted({
  restriction_status: status,
  restriction_cause: cause,
}: Pick<Payer, 'restriction_status' | 'restriction_cause'>): void {
  if (status === 'restricted')
    throw new ApiError(cause === 'quota' ? 'quota_exceeded' : 'organization_restricted')
}
