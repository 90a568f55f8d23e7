import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'
import { logColumns, logLevels, logSources, logSourceTable } from './log-sources.ts'

/** What a question may ask for at most. */
export const logLimits = {
  page: 1000,
  bars: 200,
  filters: 20,
  /** Values of one field that are counted. */
  facetValues: 50,
  searchLength: 500,
} as const

/** Microseconds since 1970, which is how exact the time of an entry is. */
const Micros = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const LogEvent = z.object({
  id: z.string(),
  /** Microseconds since 1970. */
  timestamp: Micros,
  source: z.enum(logSources),
  level: z.enum(logLevels),
  event_message: z.string(),
  /** By column or by path in `rest`; what it has no value for is missing. */
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type LogEvent = z.infer<typeof LogEvent>

/** A place among entries: of several in the same microsecond, the id decides. */
export const LogCursor = z.object({ timestamp: Micros, id: z.string().max(100) })
export type LogCursor = z.infer<typeof LogCursor>

const fieldNames = [
  'level',
  'source',
  ...Object.keys(logColumns),
  ...Object.values(logSourceTable).flatMap(({ fields }) =>
    fields.flatMap(({ path, column }) => (column ? [] : [path.slice('metadata.'.length)])),
  ),
]
/** A column, or a path in `rest` that some source writes. */
export const LogField = z.enum([...new Set(fieldNames)])

export const LogFilter = z.object({
  field: LogField,
  /** `contains` does not look at the case of letters; `at_least` and `at_most` are for numbers. */
  op: z.enum(['is', 'is_not', 'contains', 'at_least', 'at_most']),
  /** Any of them; the first one for comparisons. */
  values: z
    .array(z.union([z.string().max(500), z.number()]))
    .min(1)
    .max(20),
})
export type LogFilter = z.infer<typeof LogFilter>

const moment = Instant.refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time').meta({
  format: 'date-time',
})

/** Which entries a question is about: from `from`, up to but not at `to`. */
export const LogRange = z.object({
  sources: z.array(z.enum(logSources)).min(1).max(logSources.length),
  from: moment,
  to: moment,
  filters: z.array(LogFilter).max(logLimits.filters).default([]),
  /** Found in message, path or search, whatever the case; a regular expression with `is_pattern`. */
  search: z.string().max(logLimits.searchLength).default(''),
  is_pattern: z.boolean().default(false),
})
export type LogRange = z.infer<typeof LogRange>

export const PageQuestion = LogRange.extend({
  limit: z.number().int().min(1).max(logLimits.page).default(100),
  /** Where to go on; that entry itself is not answered again. */
  cursor: LogCursor.optional(),
  /** `older`: the newest first. `newer`: the oldest first, for who follows a log. */
  direction: z.enum(['older', 'newer']).default('older'),
})
export type PageQuestion = z.infer<typeof PageQuestion>
export const HistogramQuestion = LogRange.extend({
  bars: z.number().int().min(1).max(logLimits.bars).default(60),
})
export type HistogramQuestion = z.infer<typeof HistogramQuestion>
export const FacetsQuestion = LogRange.extend({
  fields: z.array(LogField).min(1).max(10),
  /** Counts the values of each field among the entries that the filters on other fields leave. */
  without_own: z.boolean().optional(),
})
export type FacetsQuestion = z.infer<typeof FacetsQuestion>
export const TraceQuestion = z.object({
  request_id: z.string().min(1).max(100),
  /** Microseconds since 1970 of any entry of the request: the others are looked for within an hour of it. */
  timestamp: Micros,
})
export type TraceQuestion = z.infer<typeof TraceQuestion>

/** Entries that were made and could not be kept. */
export const LostEvents = z.object({
  from: Micros,
  to: Micros,
  count: z.number().int().min(1),
  /** `rate`: more than a project may write. `disk`: it is full. `memory`: they could not be written in time. */
  reason: z.enum(['rate', 'disk', 'memory']),
})
export type LostEvents = z.infer<typeof LostEvents>
/** Why, in words: "3 entries were lost: ...". */
export const lostReasons: Record<LostEvents['reason'], string> = {
  rate: 'more than a project may write',
  disk: 'the disk was full',
  memory: 'they could not be written in time',
}

export const LogPage = z.object({
  events: z.array(LogEvent),
  /** Undefined: there is nothing further in the range. */
  next: LogCursor.optional(),
  lost: z.array(LostEvents),
})
export type LogPage = z.infer<typeof LogPage>
export const LogHistogram = z.object({
  /** Milliseconds that one bar stands for. */
  step: z.number(),
  bars: z.array(
    z.object({
      /** When it begins, in milliseconds since 1970. */
      at: z.number(),
      info: z.number(),
      warning: z.number(),
      error: z.number(),
    }),
  ),
})
export type LogHistogram = z.infer<typeof LogHistogram>
/** By field: its most frequent values. */
export const LogFacets = z.record(
  z.string(),
  z.array(z.object({ value: z.union([z.string(), z.number()]), count: z.number() })),
)
export type LogFacets = z.infer<typeof LogFacets>

/** `analytics`: the older public dialect, a table for each source. `columns`: the newer one, one table `logs`. */
export const logDialects = ['analytics', 'columns'] as const
export const SqlQuestion = z.object({
  sql: z.string().max(20_000),
  dialect: z.enum(logDialects).default('analytics'),
  from: moment,
  to: moment,
})
export type SqlQuestion = z.infer<typeof SqlQuestion>

export const SqlAnswer = z.object({
  /** Names of what was selected, in its order. */
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
  /** There are more rows, which were left out. */
  cut: z.boolean(),
})
export type SqlAnswer = z.infer<typeof SqlAnswer>

/** What public clients expect of a question in SQL: either `error` is missing, or it says what is wrong. */
export const AnalyticsAnswer = z.object({
  result: z.array(z.record(z.string(), z.unknown())),
  error: z
    .object({
      code: z.number(),
      errors: z.array(
        z.object({
          domain: z.string(),
          message: z.string(),
          reason: z.string(),
          location: z.string(),
          locationType: z.string(),
        }),
      ),
      message: z.string(),
      status: z.string(),
    })
    .optional(),
})
export const analyticsInput = {
  sql: z.string().max(20_000).default(''),
  iso_timestamp_start: moment.optional(),
  iso_timestamp_end: moment.optional(),
}

const needs = inProject('analytics:Read', 'logflare')
const ref = ProjectRef
/** Somebody who follows a log asks every two seconds, in several tabs. */
const perMinute = 240

/** The logs of a project. The questions are bodies, because they are long; they change nothing. */
export const logs = {
  /** What can be asked for. */
  about: endpoint('logs.about', 'GET /platform/projects/:ref/logs', {
    needs,
    input: z.object({ ref }),
    returns: z.object({
      /** Days that the plan keeps. */
      retention_days: z.number(),
      /** The oldest entry that may be there; later than the plan's where space was short. */
      kept_since: Instant,
      /** False: entries are collected, and nothing on this platform can search them. */
      engine: z.boolean(),
    }),
  }),
  page: endpoint('logs.page', 'POST /platform/projects/:ref/logs/page', {
    needs,
    input: PageQuestion.extend({ ref }),
    returns: LogPage,
    perMinute,
  }),
  histogram: endpoint('logs.histogram', 'POST /platform/projects/:ref/logs/histogram', {
    needs,
    input: HistogramQuestion.extend({ ref }),
    returns: LogHistogram,
    perMinute,
  }),
  facets: endpoint('logs.facets', 'POST /platform/projects/:ref/logs/facets', {
    needs,
    input: FacetsQuestion.extend({ ref }),
    returns: LogFacets,
    perMinute,
  }),
  /** A question in SQL of a public dialect. It is translated, and what is not known is refused. */
  query: endpoint('logs.query', 'POST /platform/projects/:ref/logs/query', {
    needs,
    input: SqlQuestion.extend({ ref }),
    returns: SqlAnswer,
    perMinute,
  }),
  /** The same as programs of the hosted service ask it: the last hour unless told. */
  analytics: endpoint(
    'logs.analytics',
    'GET /platform/projects/:ref/analytics/endpoints/logs.all',
    { needs, input: z.object({ ref, ...analyticsInput }), returns: AnalyticsAnswer, perMinute },
  ),
  postAnalytics: endpoint(
    'logs.post-analytics',
    'POST /platform/projects/:ref/analytics/endpoints/logs.all',
    { needs, input: z.object({ ref, ...analyticsInput }), returns: AnalyticsAnswer, perMinute },
  ),
  /** All entries of one request, the oldest first. */
  trace: endpoint('logs.trace', 'POST /platform/projects/:ref/logs/trace', {
    needs,
    input: TraceQuestion.extend({ ref }),
    returns: z.array(LogEvent),
    perMinute,
  }),
}
