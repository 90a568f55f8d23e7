import { randomUUID } from 'node:crypto'
import type { Tier } from '#contract/billing/plans'
import type { Caller, Origin } from '#kit/http'
import type { Job, Step } from '#kit/jobs'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { createAudit } from '../organizations/audit/audit.ts'
import { auditStore } from '../organizations/audit/store.ts'
import { openDatabase } from '../platform-database/database.ts'
import { settleSending } from '../observability/log-drains/sending-store.ts'
import { acceptJob } from '../operations/jobs/store.ts'
import type { PaymentBackend } from '../billing/billing/backends/backend.ts'
import { manualBackend } from '../billing/billing/backends/manual.ts'
import { createBilling, type BillingDeps } from '../billing/billing/billing.ts'
import { createRollUp } from '../billing/usage/roll-up-store.ts'
import { createUsage } from '../billing/usage/usage.ts'

const atOnce: Step = (_name, run) => run()

export const operator: Caller = {
  kind: 'session',
  userId: randomUUID(),
  email: 'ada@example.com',
  sessionId: 'x',
  aal: 'aal1',
  authorize: () => Promise.resolve(),
}
export const origin = (): Origin => ({ ip: '', userAgent: '', requestId: randomUUID() })

/**
 * Billing over a database of its own, with a clock that stands until it is moved. Accepted jobs run at once and to their
 * end; everything else is real.
 */
export async function startBilling(
  backend: PaymentBackend = manualBackend(),
  more: Partial<Pick<BillingDeps, 'refsOf' | 'setReadOnly' | 'exceedsQuota' | 'tellStanding'>> = {},
) {
  const database = await createPlatformDatabase()
  const { db, pool } = openDatabase(database.adminConfig, silentLog)
  let now = new Date('2026-01-31T10:00:00.000Z')
  const rollUp = createRollUp(db, () => now)
  const usage = {
    rollUp,
    usage: createUsage({
      db,
      payerOf: (slug) => billing.parts.subscriptions.payerOf(slug),
      begin: (slug) => billing.parts.subscriptions.get(slug),
      now: () => now,
    }),
  }
  const billing = createBilling({
    db,
    record: createAudit(auditStore),
    acceptJob,
    startJob: async (job: Job) => {
      await billing.workflows[job.name as keyof typeof billing.workflows]?.(job, atOnce)
    },
    backend,
    exceedsQuota: () => Promise.resolve(false),
    tellStanding: () => Promise.resolve([]),
    planChanged: (tx, organizationId, at) => settleSending(tx, at, organizationId),
    usage: { charges: usage.usage.charges, settle: usage.rollUp.run },
    permissionsOf: () => Promise.resolve([]),
    notifyProjects: () => Promise.resolve(),
    refsOf: () => Promise.resolve([]),
    setReadOnly: () => Promise.resolve(),
    ...more,
    each: createSubjects(silentLog).each,
    url: 'http://localhost:8000',
    sender: 'Plinth',
    now: () => now,
    log: silentLog,
  })
  return {
    billing,
    database,
    db,
    pool,
    run: (job: Job) => billing.workflows[job.name as keyof typeof billing.workflows]?.(job, atOnce),
    /** Takes in what was used so far. */
    settleUsage: rollUp.run,
    now: () => now,
    setNow: (date: Date) => {
      now = date
    },
    pass: (days: number) => {
      now = new Date(now.getTime() + days * 86_400_000)
    },
    async organization(tier: Tier): Promise<{ id: string; slug: string }> {
      const slug = `o-${randomUUID()}`
      return db.transaction().execute(async (tx) => {
        const made = await tx
          .insertInto('platform.organizations')
          .values({ slug, name: slug, kind: 'PERSONAL', size: null, tier, billing_email: null })
          .returning(['id', 'slug'])
          .executeTakeFirstOrThrow()
        await billing.beginning.begin(tx, made.id)
        return made
      })
    },
    /** Compute that ran for so many hours from now on. */
    async used(organizationId: string, ref: string, hours: number): Promise<void> {
      await db
        .insertInto('platform.compute_usage')
        .values({
          organization_id: organizationId,
          project_ref: ref,
          project_name: ref,
          compute_size: 'small',
          started_at: now,
          ended_at: new Date(now.getTime() + hours * 3_600_000),
        })
        .execute()
    },
    remove: (id: string) => db.deleteFrom('platform.organizations').where('id', '=', id).execute(),
    async end(): Promise<void> {
      await pool.end()
      await database.drop()
    },
  }
}
export type TestBilling = Awaited<ReturnType<typeof startBilling>>
