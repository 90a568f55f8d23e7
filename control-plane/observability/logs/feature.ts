import { dataPlaneApi } from '#contract/data-plane-api'
import { planOfTier, type PlanId } from '#contract/billing/plans'
import { planLimits } from '#contract/limits'
import { logs as api, type LogRange } from '#contract/observability/logs'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { checkRange, keptSince } from './kept.ts'
import { logStore } from './store.ts'

/** Projects of one message. */
const batch = 1000
const day = 24 * 3_600_000

/** The logs of projects: who may see them, how far back, and when they go. The data plane has them. */
export function logsFeature({ db, compute, dataPlane, now }: Platform) {
  compute.onServerLog?.(async (ref, entries) => {
    await dataPlane.ask(dataPlaneApi.logsServer, { params: { ref }, body: { entries } })
  })
  const store = logStore(db)

  async function planOf(ref: string): Promise<PlanId> {
    const tier = await store.tierOf(ref)
    if (!tier) throw new ApiError('project_not_found')
    return planOfTier[tier]
  }
  /** What is kept for a project, in microseconds. */
  async function keptFor(ref: string, range?: Pick<LogRange, 'sources' | 'from'>) {
    const plan = await planOf(ref)
    if (range) checkRange(plan, range, now())
    const { since, auditSince } = keptSince(plan, now())
    return { since: since * 1000, auditSince: auditSince * 1000 }
  }

  /** Removes the days that plans do not keep any more, and all of projects that were deleted. */
  async function retain(): Promise<void> {
    const removedSince = new Date(now().getTime() - 7 * day)
    for (let after = ''; ;) {
      const projects = await store.projects(after, removedSince, batch)
      const last = projects.at(-1)
      if (!last) return
      for (const { ref } of projects.filter(({ removed }) => removed))
        await dataPlane.ask(dataPlaneApi.logsDrop, { params: { ref } })
      await dataPlane.ask(dataPlaneApi.logsRetain, {
        body: {
          projects: projects
            .filter(({ removed }) => !removed)
            .map(({ ref, tier }) => ({
              ref,
              since: keptSince(planOfTier[tier], now()).since * 1000,
            })),
        },
      })
      if (projects.length < batch) return
      after = last.ref
    }
  }

  return {
    routes: [
      implement(api.about, async ({ ref }) => {
        const plan = await planOf(ref)
        const { oldest, engine } = await dataPlane.ask(dataPlaneApi.logsState, { params: { ref } })
        const since = Math.max(keptSince(plan, now()).since, (oldest ?? 0) / 1000)
        return {
          retention_days: planLimits[plan].logRetentionDays,
          kept_since: new Date(since).toISOString(),
          engine,
        }
      }),
      implement(api.page, async ({ ref, ...question }) => {
        const kept = await keptFor(ref, question)
        return dataPlane.ask(dataPlaneApi.logsPage, {
          params: { ref },
          body: { ...question, kept },
        })
      }),
      implement(api.histogram, async ({ ref, ...question }) => {
        const kept = await keptFor(ref, question)
        return dataPlane.ask(dataPlaneApi.logsHistogram, {
          params: { ref },
          body: { ...question, kept },
        })
      }),
      implement(api.facets, async ({ ref, ...question }) => {
        const kept = await keptFor(ref, question)
        return dataPlane.ask(dataPlaneApi.logsFacets, {
          params: { ref },
          body: { ...question, kept },
        })
      }),
      implement(api.trace, async ({ ref, ...question }) => {
        const kept = await keptFor(ref)
        return dataPlane.ask(dataPlaneApi.logsTrace, {
          params: { ref },
          body: { ...question, kept },
        })
      }),
    ],
    rounds: [{ seconds: 3600, name: 'log retention', run: retain }],
    retain,
  }
}
