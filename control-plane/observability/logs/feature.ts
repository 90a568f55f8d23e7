import type { z } from 'zod'
import { dataPlaneApi } from '#contract/data-plane-api'
import { planOfTier, type PlanId } from '#contract/billing/plans'
import { planLimits } from '#contract/limits'
import { logSources, type LogSource } from '#contract/observability/log-sources'
import {
  logs as api,
  type AnalyticsAnswer,
  type HistogramQuestion,
  type LogHistogram,
  type SqlAnswer,
  type SqlQuestion,
} from '#contract/observability/logs'
import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { checkRange, keptSince } from './kept.ts'
import { logStore } from './store.ts'

/** Projects of one message. */
const batch = 1000
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const isoOf = (ms: number) => new Date(ms).toISOString()
type Analytics = {
  ref: string
  sql: string
  iso_timestamp_start?: string | undefined
  iso_timestamp_end?: string | undefined
}

/** The logs of projects: who may see them, how far back, and when they go. The data plane has them. */
export function logsFeature({ db, compute, dataPlane, now }: Platform) {
  compute.onServerLog?.(async (ref, entries) => {
    await dataPlane.ask(dataPlaneApi.logsServer, { params: { ref }, body: { entries } })
  })
  const store = logStore(db)

  async function projectOf(ref: string): Promise<{ plan: PlanId; createdAt: Date }> {
    const project = await store.find(ref)
    if (!project) throw new ApiError('project_not_found')
    return { plan: planOfTier[project.tier], createdAt: project.createdAt }
  }
  const planOf = async (ref: string) => (await projectOf(ref)).plan
  /** What is kept for a project, in microseconds. */
  async function keptFor(ref: string, range?: { sources: readonly LogSource[]; from: string }) {
    const plan = await planOf(ref)
    if (range) checkRange(plan, range, now())
    const { since, auditSince } = keptSince(plan, now())
    return { since: since * 1000, auditSince: auditSince * 1000 }
  }

  /** @throws ApiError logs_query_refused */
  async function query(ref: string, question: SqlQuestion): Promise<SqlAnswer> {
    const kept = await keptFor(ref, { sources: logSources, from: question.from })
    return dataPlane.ask(dataPlaneApi.logsQuery, {
      params: { ref },
      body: { ...question, kept },
    })
  }
  async function histogram(ref: string, question: HistogramQuestion): Promise<LogHistogram> {
    const kept = await keptFor(ref, question)
    return dataPlane.ask(dataPlaneApi.logsHistogram, {
      params: { ref },
      body: { ...question, kept },
    })
  }
  /**
   * The same in the words of public programs. Without a range it is about the time before now, `usual` ms of it; the range is
   * at most `longest`. @throws ApiError invalid_input
   */
  async function analytics(
    { ref, sql, iso_timestamp_start: start, iso_timestamp_end: end }: Analytics,
    usual: number,
    longest = Infinity,
    dialect: SqlQuestion['dialect'] = 'analytics',
  ): Promise<z.infer<typeof AnalyticsAnswer>> {
    const to = end === undefined ? now().getTime() : Date.parse(end)
    const from = start === undefined ? to - usual : Date.parse(start)
    if (to - from > longest)
      throw new ApiError('invalid_input', 'iso_timestamp_start: The range is at most 24 hours')
    const question = { sql, dialect, from: isoOf(from), to: isoOf(to) }
    try {
      const { columns, rows } = await query(ref, question)
      return {
        result: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'logs_query_refused') throw error
      const { message } = error
      const errors = [
        {
          domain: 'global',
          message,
          reason: 'invalidQuery',
          location: 'sql',
          locationType: 'parameter',
        },
      ]
      return { result: [], error: { code: 400, errors, message, status: 'INVALID_ARGUMENT' } }
    }
  }

  /** Removes the days that plans do not keep any more, and all of projects that were deleted. */
  async function retain(): Promise<void> {
    // However long ago that was: whoever had to remove them may have been away.
    if (await store.anyRemoved()) {
      const there = await dataPlane.ask(dataPlaneApi.logsThere, {})
      for (const ref of await store.removed(there))
        await dataPlane.ask(dataPlaneApi.logsDrop, { params: { ref } })
    }
    for (let after = ''; ;) {
      const projects = await store.projects(after, batch)
      const last = projects.at(-1)
      if (!last) return
      await dataPlane.ask(dataPlaneApi.logsRetain, {
        body: {
          projects: projects.map(({ ref, tier }) => ({
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
    /** For other features, whose askers may see the logs. */
    ofProject: {
      /** @throws ApiError logs_not_kept with the plan that keeps them that long */
      async check(ref: string, from: string): Promise<void> {
        checkRange(await planOf(ref), { sources: ['edge_logs'], from }, now())
      },
      /** What the plan does not keep is left out. */
      async query(ref: string, question: SqlQuestion): Promise<SqlAnswer> {
        const kept = await keptFor(ref)
        return dataPlane.ask(dataPlaneApi.logsQuery, {
          params: { ref },
          body: { ...question, kept },
        })
      },
    },
    routes: [
      implement(api.about, async ({ ref }) => {
        const { plan, createdAt } = await projectOf(ref)
        const { oldest, engine } = await dataPlane.ask(dataPlaneApi.logsState, { params: { ref } })
        const first = (oldest ?? 0) / 1000
        // Logs that go back to before the project lack nothing, however young they are.
        const removed = first > createdAt.getTime() ? first : 0
        const since = Math.max(keptSince(plan, now()).since, removed)
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
      implement(api.histogram, ({ ref, ...question }) => histogram(ref, question)),
      implement(api.facets, async ({ ref, ...question }) => {
        const kept = await keptFor(ref, question)
        return dataPlane.ask(dataPlaneApi.logsFacets, {
          params: { ref },
          body: { ...question, kept },
        })
      }),
      implement(api.query, ({ ref, ...question }) => query(ref, question)),
      implement(api.analytics, (input) => analytics(input, hour)),
      implement(api.postAnalytics, (input) => analytics(input, hour)),
      implement(v1.logs, (input) => analytics(input, minute, day)),
      implement(v1.newLogs, (input) => analytics(input, minute, day, 'columns')),
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
    query,
    histogram,
  }
}
