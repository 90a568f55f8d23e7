import type { RestrictionStatus } from '#contract/billing/billing-operator'
import { ApiError } from '#kit/errors'
import type { Job, JobHandler } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { InvoiceStore } from './invoice-store.ts'
import type { RestrictionStore, Standing } from './restriction-store.ts'
import type { BillingStore, Payer } from './store.ts'
import { daysAfter, terms } from './terms.ts'

type Deps = {
  store: BillingStore
  standings: RestrictionStore
  invoices: InvoiceStore
  record: RecordChange
  acceptJob: AcceptJob
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

const clear: Standing = {
  restriction_status: null,
  restriction_cause: null,
  grace_period_end: null,
}

/**
 * The next state of an organization with or without overdue invoices, one step at a time: grace_period,
 * grace_period_over, restricted (requirements §4). What the operator has set stays.
 */
export function nextStanding(current: Standing, owes: boolean, now: Date): Standing {
  const { restriction_status: status, restriction_cause: cause, grace_period_end: end } = current
  // Nothing else that the row may hold.
  const same: Standing = {
    restriction_status: status,
    restriction_cause: cause,
    grace_period_end: end,
  }
  if (cause === 'operator') return same
  if (!owes) return clear
  if (status === null || end === null) {
    return {
      restriction_status: 'grace_period',
      restriction_cause: 'overdue',
      grace_period_end: daysAfter(now, terms.graceDays),
    }
  }
  if (status === 'grace_period' && now >= end) {
    return { ...same, restriction_status: 'grace_period_over' }
  }
  if (status === 'grace_period_over' && now >= daysAfter(end, terms.overDays)) {
    return { ...same, restriction_status: 'restricted' }
  }
  return same
}

/** What becomes of organizations that do not pay, and of their projects. */
export function createRestriction(deps: Deps) {
  const { store, standings, invoices, now, log } = deps

  /** Moves, with its audit entry. Returns the job that the projects' databases need, where they do. */
  async function move(tx: Tx, payer: Payer, to: Standing): Promise<Job | undefined> {
    const from = payer.restriction_status
    if (from === to.restriction_status) return undefined
    if (!(await standings.move(tx, payer.id, from, to))) return undefined
    await deps.record(tx, {
      organizationId: payer.id,
      actor: null,
      action: 'billing.restriction',
      target: `organization:${payer.slug}`,
      change: {
        before: { restriction_status: from },
        after: {
          restriction_status: to.restriction_status,
          grace_period_end: to.grace_period_end?.toISOString() ?? null,
        },
      },
      origin: null,
    })
    if (from !== 'restricted' && to.restriction_status !== 'restricted') return undefined
    await deps.notifyProjects(tx, payer.id)
    return deps.acceptJob(tx, 'billing.restrict', payer.id)
  }

  /** Looks at one organization again. Wants its books locked. */
  async function review(tx: Tx, organizationId: string): Promise<Job | undefined> {
    const payer = await store.payerById(organizationId, tx)
    if (!payer) return undefined
    const partner = payer.billing_partner !== null
    const owes = !partner && (await invoices.overdueCount(payer.id, now(), tx)) > 0
    return move(tx, payer, nextStanding(payer, owes, now()))
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

  return {
    review,
    workflows: { 'billing.restrict': handler },

    /** Every organization that owes, or did. */
    async round(startJob: (job: Job) => Promise<void>): Promise<void> {
      const look = async ({ id }: { id: string }) => {
        const job = await store.transaction(async (tx) => {
          await store.lockBooks(tx, id)
          return review(tx, id)
        })
        if (!job) return
        log.warn({ organization: id }, 'the restriction of an organization has changed')
        await startJob(job)
      }
      const due = await standings.toReview(now())
      await deps.each('restriction of organizations', due, ({ id }) => id, look)
    },

    /** By the operator's word; null hands it back to the overdue invoices. */
    set: (tx: Tx, payer: Payer, status: RestrictionStatus | null) =>
      move(
        tx,
        payer,
        status === null
          ? clear
          : {
              restriction_status: status,
              restriction_cause: 'operator',
              grace_period_end:
                status === 'grace_period'
                  ? daysAfter(now(), terms.graceDays)
                  : payer.grace_period_end,
            },
      ),

    setPartner: standings.setPartner,
  }
}
export type Restriction = ReturnType<typeof createRestriction>

/** What a restricted organization may not do. */
export function refuseRestricted({ restriction_status }: Pick<Payer, 'restriction_status'>): void {
  if (restriction_status === 'restricted') throw new ApiError('organization_restricted')
}
