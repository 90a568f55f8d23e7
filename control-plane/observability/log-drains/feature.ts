import { dataPlaneApi } from '#contract/data-plane-api'
import { internal } from '#contract/internal-api'
import { auditLogDrains, logDrains as api } from '#contract/observability/log-drains'
import { implement, implementOpen } from '#kit/http'
import type { Tx } from '../../platform-database/database.ts'
import type { Platform } from '../../platform.ts'
import { createLogDrains } from './log-drains.ts'
import { createDrainNotices } from './notices.ts'
import { drainReportStore } from './reports-store.ts'
import { createSealing } from './sealing.ts'
import { sendingDrains, settleSending } from './sending-store.ts'
import { createSendingDrains } from './sending.ts'
import { monthOf } from './state.ts'
import { v1LogDrainRoutes } from './v1-routes.ts'
import { logDrainStore, type Owner } from './store.ts'

type Needs = Pick<Parameters<typeof createDrainNotices>[0], 'mail'>

/** Where logs go besides the pages: the destinations, who pays for them, and what becomes of what is sent. */
export function logDrainsFeature(platform: Platform, { mail }: Needs) {
  const { db, secrets, audited, record, projects, dataPlane, jobs, each, url, now, log } = platform
  const reports = drainReportStore(db)
  const sealing = createSealing(secrets)
  const drains = createLogDrains({
    store: logDrainStore(db),
    reports,
    sealing,
    audited,
    record,
    notifyAny: projects.notifyAny,
    reach: { allowed: platform.drainNetworks },
    send: (drain) => dataPlane.ask(dataPlaneApi.testLogDrain, { body: drain }),
    now,
  })
  const sending = createSendingDrains({
    sending: () => sendingDrains(db),
    reports,
    sealing,
    now,
    log,
  })
  const notices = createDrainNotices({
    reports,
    record,
    mail,
    startJob: jobs.start,
    each,
    url,
    now,
  })
  const project = (ref: string): Owner => ({ of: 'project', ref })
  const organization = (slug: string): Owner => ({ of: 'organization', slug })

  return {
    /** After a change of an organization's plan, which may begin or end what its drains send. */
    async settle(tx: Tx, organizationId: string, at: Date): Promise<void> {
      await settleSending(tx, at, organizationId)
      await projects.notifyAny(tx)
    },
    noticesRound: notices.round,
    routes: [
      implement(api.list, ({ ref }) => drains.list(project(ref))),
      implement(api.create, ({ ref, ...drain }, caller, origin) =>
        drains.create(project(ref), drain, { caller, origin }),
      ),
      implement(api.update, ({ ref, ...drain }, caller, origin) =>
        drains.update(project(ref), drain, { caller, origin }),
      ),
      implement(api.remove, ({ ref, token }, caller, origin) =>
        drains.remove(project(ref), token, { caller, origin }),
      ),
      implement(api.test, ({ ref, ...drain }) => drains.test(project(ref), drain)),
      implement(auditLogDrains.list, ({ slug }) => drains.list(organization(slug))),
      implement(auditLogDrains.create, ({ slug, ...drain }, caller, origin) =>
        drains.create(organization(slug), drain, { caller, origin }),
      ),
      implement(auditLogDrains.update, ({ slug, ...drain }, caller, origin) =>
        drains.update(organization(slug), drain, { caller, origin }),
      ),
      implement(auditLogDrains.remove, ({ slug, token }, caller, origin) =>
        drains.remove(organization(slug), token, { caller, origin }),
      ),
      implement(auditLogDrains.test, ({ slug, ...drain }) =>
        drains.test(organization(slug), drain),
      ),
      ...v1LogDrainRoutes(drains),
      implementOpen(internal.logDrains, () => sending.orders()),
      implementOpen(internal.logDrainReports, async ({ reports: said }) => ({
        kept: await sending.take(said),
      })),
    ],
    rounds: [
      {
        seconds: 60,
        name: 'log drains that plans have or have not',
        run: () => settleSending(db, now()),
      },
      { seconds: 60, name: 'log drains that do not work', run: notices.round },
      {
        seconds: 3600,
        name: 'old reports of log drains',
        // The month before is kept, because processes may still speak of it.
        run: () => reports.prune(monthOf(new Date(now().getTime() - 32 * 86_400_000))),
      },
    ],
  }
}
