import { z } from 'zod'
import { TestMailResult, type TestMail } from './auth/auth-test-mail.ts'
import { GraphqlAnswer } from './data-api/graphql-console.ts'
import { migrationTools } from './database/migration-tools.ts'
import { Migration } from './database/migrations.ts'
import { Table } from './database/pg-meta-shapes.ts'
import { FunctionTrial, type FunctionCode } from './functions/functions-internal.ts'
import { DatabasePortState, ListenerState } from './internal-api.ts'
import {
  LogEvent,
  LogFacets,
  LogHistogram,
  LogPage,
  SqlAnswer,
  type FacetsQuestion,
  type HistogramQuestion,
  type PageQuestion,
  type SqlQuestion,
  type TraceQuestion,
} from './observability/logs.ts'
import type { ServerLogEntry } from './observability/server-log.ts'
import { LintReport } from './observability/advisors.ts'
import { LogDrainTest, type LogDrainType } from './observability/log-drain-shapes.ts'
import { queryPerformance } from './observability/query-performance.ts'
import { storage } from './storage/storage.ts'
import {
  StoragePurged,
  StorageRoundDone,
  StorageUnnamedFound,
  type StorageRound,
} from './storage/storage-jobs.ts'
import { ProjectRef } from './values.ts'

type Method = 'GET' | 'POST' | 'DELETE'

/** One call that the control plane makes of the data plane, which trusts it: permission was checked before. */
export type DataPlaneCall<Body = unknown, Out extends z.ZodType = z.ZodType> = {
  method: Method
  /** Parts that begin with a colon are filled in, such as `:ref`. */
  path: `/internal/${string}`
  returns: Out
  /** How long it is waited for. */
  seconds: number
  /** The answer is a text and no JSON. */
  isText?: boolean
  /** Not said at run time: it types what is sent. */
  body?: Body
}

/** A body is typed by the second step: `call('POST /internal/x', ...)<Body>()`. */
const call =
  <Out extends z.ZodType>(
    request: `${Method} /internal/${string}`,
    rest: { returns: Out; seconds: number; isText?: boolean },
  ) =>
  <Body = undefined>(): DataPlaneCall<Body, Out> => {
    // The template type of `request` promises these two parts; split() cannot express it.
    const [method, path] = request.split(' ') as [Method, DataPlaneCall['path']]
    return { method, path, ...rest }
  }

export type Sql = { query: string; parameters?: readonly unknown[] | undefined }
/** Microseconds since 1970 before which the project's plan keeps nothing: of logs, and of the audit of Auth. */
type Kept = { since: number; auditSince: number }
type Change = { name: string; statements: string[]; inverse?: string[] }
type Mark = { as: 'applied'; name: string; sql: string }

/** What the control plane asks of the data plane. Calls of the dashboard that are passed on as they are have their own contract. */
export const dataPlaneApi = {
  /** The rows of the last statement. */
  query: call('POST /internal/pg-meta/:ref/query', {
    returns: z.array(z.record(z.string(), z.unknown())),
    seconds: 15,
  })<Sql>(),
  tables: call('GET /internal/pg-meta/:ref/tables', { returns: z.array(Table), seconds: 10 })(),
  lints: call('GET /internal/pg-meta/:ref/advisors', { returns: LintReport, seconds: 30 })(),
  statements: call('GET /internal/pg-meta/:ref/query-performance', {
    returns: queryPerformance.list.returns,
    seconds: 30,
  })(),
  /** A program's text. A database of thousands of tables takes seconds to read. */
  types: call('GET /internal/pg-meta/:ref/generators/:language', {
    returns: z.string(),
    seconds: 60,
    isText: true,
  })(),
  migrations: call('GET /internal/pg-meta/:ref/migrations', {
    returns: Migration.array(),
    seconds: 60,
  })(),
  /** One `RunEvent` a line, as the SQL editor has it; ended from here, it is cancelled there. */
  run: call('POST /internal/pg-meta/:ref/query/run', {
    returns: z.string(),
    seconds: 15 * 60,
    isText: true,
  })<{
    id: string
    query: string
    row_limit: null
    timeout_ms: number
    one_transaction: boolean
  }>(),
  /** A migration may rewrite a large table. */
  applyChange: call('POST /internal/pg-meta/:ref/changes', {
    returns: Migration,
    seconds: 15 * 60,
  })<Change>(),
  /** A file of migrations, under its own version. */
  applyMigration: call('POST /internal/pg-meta/:ref/migrations/apply', {
    returns: Migration,
    seconds: 15 * 60,
  })<{ version: string; name: string; sql: string; out_of_order: boolean }>(),
  drift: call('GET /internal/pg-meta/:ref/migrations/drift', {
    returns: migrationTools.drift.returns,
    seconds: 60,
  })(),
  markMigration: call('POST /internal/pg-meta/:ref/migrations/:version/mark', {
    returns: z.unknown(),
    seconds: 60,
  })<Mark>(),

  /** One entry to a drain that need not be there yet; its config with secrets. */
  testLogDrain: call('POST /internal/log-drains/test', { returns: LogDrainTest, seconds: 30 })<{
    type: LogDrainType
    config: Record<string, unknown>
  }>(),

  /** Whether a function of the database can be what the auth service asks. */
  hookFunction: call('POST /internal/projects/:ref/hook-function', {
    returns: z.object({ problem: z.string().nullable() }),
    seconds: 10,
  })<{ schema: string; name: string }>(),
  /** A mail server has half a minute to answer. */
  testMail: call('POST /internal/projects/:ref/test-mail', {
    returns: TestMailResult,
    seconds: 45,
  })<TestMail & { to: string }>(),

  /** Much longer than a round takes, copies of large objects included. */
  storageRound: call('POST /internal/storage/rounds', {
    returns: StorageRoundDone,
    seconds: 600,
  })<StorageRound>(),
  storageUsage: call('GET /internal/storage/:ref/usage', {
    returns: storage.usage.returns,
    seconds: 60,
  })(),
  bucket: call('GET /internal/storage/:ref/buckets/:bucket', {
    returns: z.unknown(),
    seconds: 30,
  })(),
  unnamedFiles: call('POST /internal/storage/unnamed', {
    returns: StorageUnnamedFound,
    seconds: 600,
  })<{ ref: string; remove: boolean }>(),
  purgeTrash: call('POST /internal/storage/purges', {
    returns: StoragePurged,
    seconds: 600,
  })<{ ref: string }>(),

  /** Starts code once, behind those that are tried at the moment. */
  functionTrial: call('POST /internal/function-trials/:ref', {
    returns: FunctionTrial,
    seconds: 100,
  })<FunctionCode>(),

  /** Somewhat longer than a statement of a signed-in user may take. */
  graphql: call('POST /internal/graphql/:ref', { returns: GraphqlAnswer, seconds: 15 })<object>(),
  /** It looks anew what it has to listen on before it answers. */
  listeners: call('POST /internal/listeners', { returns: ListenerState.array(), seconds: 5 })(),
  /** It looks anew at which ports it has to take connections to databases, and from where, before it answers. */
  databasePorts: call('POST /internal/database-ports', {
    returns: DatabasePortState.array(),
    seconds: 5,
  })(),
  /** Whether connections to databases can be encrypted, and the certificate (PEM) of the authority that clients are to trust. */
  databaseCertificate: call('GET /internal/database-ports/certificate', {
    returns: z.object({ offered: z.boolean(), authority: z.string().nullable() }),
    seconds: 5,
  })(),

  /** The oldest day that is there, and whether questions can be answered. */
  logsState: call('GET /internal/logs/:ref', {
    returns: z.object({ oldest: z.number().nullable(), engine: z.boolean() }),
    seconds: 10,
  })(),
  /** The engine stops a question after 10 seconds; before that it may wait for its turn. */
  logsPage: call('POST /internal/logs/:ref/page', { returns: LogPage, seconds: 30 })<
    PageQuestion & { kept: Kept }
  >(),
  logsHistogram: call('POST /internal/logs/:ref/histogram', {
    returns: LogHistogram,
    seconds: 30,
  })<HistogramQuestion & { kept: Kept }>(),
  logsFacets: call('POST /internal/logs/:ref/facets', { returns: LogFacets, seconds: 30 })<
    FacetsQuestion & { kept: Kept }
  >(),
  logsQuery: call('POST /internal/logs/:ref/query', { returns: SqlAnswer, seconds: 30 })<
    SqlQuestion & { kept: Kept }
  >(),
  logsTrace: call('POST /internal/logs/:ref/trace', {
    returns: LogEvent.array(),
    seconds: 30,
  })<TraceQuestion & { kept: Kept }>(),
  /** What the server of a project has written. An entry that comes again has the same id. */
  logsServer: call('POST /internal/logs/:ref/server', { returns: z.unknown(), seconds: 20 })<{
    entries: ServerLogEntry[]
  }>(),
  /** Which days are removed: of each project those that ended before a time, in microseconds since 1970. */
  logsRetain: call('POST /internal/logs/retention', {
    returns: z.object({ kept: z.number() }),
    seconds: 120,
  })<{ projects: { ref: string; since: number }[] }>(),
  /** The projects of which there are logs, whether these projects are there or not. */
  logsThere: call('GET /internal/logs', { returns: ProjectRef.array(), seconds: 20 })(),
  logsDrop: call('DELETE /internal/logs/:ref', { returns: z.unknown(), seconds: 60 })(),
}
