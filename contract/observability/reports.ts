import { z } from 'zod'
import { meteredServices } from '../billing/usage-metrics.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/** Seconds between two points of a chart. Points begin at whole multiples of it since 1970, so days are those of UTC. */
export const reportIntervals = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '6h': 21_600,
  '1d': 86_400,
} as const
export type ReportInterval = keyof typeof reportIntervals
// The keys of a constant are its own.
export const intervalIds = Object.keys(reportIntervals) as ReportInterval[]

/** Points of one chart: at most, and how many are good to look at. */
export const reportPoints = { most: 750, usual: 200 } as const

/** Points of an interval that lie in a range of `ms` milliseconds, those that begin before it included. */
export const pointsOf = (ms: number, interval: ReportInterval): number =>
  Math.ceil(ms / (reportIntervals[interval] * 1000)) + 1

/** The finest interval that draws a range of `ms` milliseconds well. */
export const usualInterval = (ms: number): ReportInterval =>
  intervalIds.find((id) => pointsOf(ms, id) <= reportPoints.usual + 1) ?? '1d'

/** What the values of a series, or a column, are. `bytes` of a counter are those of one interval. */
export const reportUnits = ['count', 'bytes', 'ms', 'percent', 'text'] as const
export type ReportUnit = (typeof reportUnits)[number]

export const ReportAnswer = z.object({
  /** What was asked for, from the beginning of the first point. */
  from: Instant,
  to: Instant,
  /** Seconds. Coarser than asked for where finer figures are not kept any more. */
  interval: z.number(),
  /** When each point begins, in milliseconds since 1970; none for a table. */
  at: z.array(z.number()),
  series: z.array(
    z.object({
      /** Unique within the chart. */
      name: z.string(),
      /** One for each point; null: nothing was measured. */
      values: z.array(z.number().nullable()),
      /** Of the whole range: the sum of what adds up, the highest of levels, of durations the percentile of all; null: none. */
      summary: z.number().nullable(),
    }),
  ),
  /** Instead of series, where the chart is a table. */
  table: z
    .object({
      columns: z.array(z.object({ name: z.string(), unit: z.enum(reportUnits) })),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    })
    .nullable(),
  /** Some of it was left out, because there is too much. */
  cut: z.boolean(),
  /** Why this installation, or the project as it is now, has no figures; null where it could have some. */
  absent: z.string().nullable(),
})
export type ReportAnswer = z.infer<typeof ReportAnswer>

const moment = Instant.refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time').meta({
  format: 'date-time',
})

export const ReportQuestion = z.object({
  /** One of `charts`. */
  chart: z.string().max(100),
  from: moment,
  to: moment,
  /** The finest that draws the range well, unless told. */
  interval: z.enum(intervalIds).optional(),
  /** Names joined by commas; all unless told. Only for charts that can be narrowed by them. */
  services: z
    .string()
    .max(200)
    .optional()
    .meta({ description: meteredServices.join(', ') }),
})
export type ReportQuestion = z.infer<typeof ReportQuestion>

/** A page shows some ten charts, and each of them again for the time before. */
const perMinute = 600

/** The figures of a project over time, chart by chart. */
export const reports = {
  chart: endpoint('reports.chart', 'GET /platform/projects/:ref/reports/charts/:chart', {
    needs: inProject('analytics:Read', 'logflare'),
    input: ReportQuestion.extend({ ref: ProjectRef }),
    returns: ReportAnswer,
    perMinute,
  }),
}
