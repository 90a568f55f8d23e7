import type { LogColumn, LogLevel, LogSource } from '#contract/observability/log-sources'
import type {
  FacetsQuestion,
  HistogramQuestion,
  LogFacets,
  LogHistogram,
  LogPage,
  LostEvents,
  PageQuestion,
  SqlAnswer,
  SqlQuestion,
  TraceQuestion,
  LogEvent,
} from '#contract/observability/logs'

/** What happened, as a service says it; redacted and bounded already. */
export type NewEvent = {
  id: string
  /** Microseconds since 1970. */
  timestamp: number
  source: LogSource
  level: LogLevel
  message: string
  columns: Partial<Record<LogColumn, string | number>>
  /** By path (`log-sources.ts`). */
  rest?: Record<string, string | number | boolean>
}

/**
 * How far back may be looked, in microseconds since 1970: what is older is not there for whoever asks. Entries of
 * `auth_audit_logs` have a bound of their own, which is no earlier.
 */
export type Kept = { since: number; auditSince: number }

/**
 * Where logs are kept and asked for. Appending never waits and never fails: what cannot be kept is counted and told as lost.
 * Questions throw ApiError logs_too_slow, logs_too_large, logs_busy or logs_engine_missing, and invalid_input for a regular
 * expression that is none.
 */
export type LogStore = {
  append(ref: string, events: NewEvent[]): void
  /** Writes down that events were lost before they came here. */
  lose(ref: string, lost: LostEvents): void
  /**
   * `older` has everything that was appended here. `newer` stays a second behind the clock, because entries of other processes
   * arrive by so much late: whoever follows misses none that comes within it, if they begin a second before the newest
   * entry that they have (a cursor with an empty id) and pass over the ids they know.
   */
  page(ref: string, question: PageQuestion, kept: Kept, signal?: AbortSignal): Promise<LogPage>
  histogram(
    ref: string,
    question: HistogramQuestion,
    kept: Kept,
    signal?: AbortSignal,
  ): Promise<LogHistogram>
  facets(
    ref: string,
    question: FacetsQuestion,
    kept: Kept,
    signal?: AbortSignal,
  ): Promise<LogFacets>
  trace(ref: string, question: TraceQuestion, kept: Kept, signal?: AbortSignal): Promise<LogEvent[]>
  /**
   * A question in SQL (`dialect/`). @throws ApiError logs_query_refused with what is not known, or what the engine says of it
   */
  query(ref: string, question: SqlQuestion, kept: Kept, signal?: AbortSignal): Promise<SqlAnswer>
  /** Where the oldest day that is there begins, in microseconds since 1970; undefined: there is none. */
  oldest(ref: string): Promise<number | undefined>
  /** Refs of the projects of which there are logs. */
  projects(): Promise<string[]>
  /** Whether questions can be answered at all. */
  answers(): boolean
  /** Removes the days that ended before `before` (microseconds). */
  retain(ref: string, before: number): Promise<void>
  /** Removes all of a project's logs. */
  drop(ref: string): Promise<void>
  /** Everything appended is written. */
  flush(): Promise<void>
  close(): Promise<void>
}
