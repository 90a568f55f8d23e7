import type { Log } from '#kit/log'
import { quoteIdent } from '#contract/ddl/sql-text'
import { qualified } from './sql/sql-parts.ts'
import type { Answer } from './answers/answer.ts'
import { withSource } from './answers/source.ts'
import { readBody } from './requests/body.ts'
import { databaseProblem } from './answers/database-problem.ts'
import type { Row, Statement, Transaction } from '../projects/transaction.ts'
import type { Database } from './database.ts'
import {
  isRead,
  readIncoming,
  type Identity,
  type Incoming,
  type RestRequest,
  type ServingSettings,
} from './requests/incoming.ts'
import { explained, planAsked } from './sql/explain.ts'
import { grantHint } from './answers/grant-hint.ts'
import { answerOptions } from './requests/options.ts'
import { answerElsewhere, type OtherAnswer } from './requests/other-answers.ts'
import { checkAudience } from './server/audience.ts'
import { prepareRoot } from './openapi/openapi.ts'
import type { Prepared, Serving } from './requests/prepared.ts'
import { Problem } from './answers/problem.ts'
import { MissingProblem } from './plan/resolve.ts'
import type { SchemaCache } from './catalog/schema-cache.ts'
import type { Schema } from './catalog/schema.ts'
import { prepareCall } from './requests/serve-call.ts'
import { prepareRead } from './requests/serve-read.ts'
import { prepareWrite, type WriteVerb } from './requests/serve-write.ts'
import { headersJson, cookiesJson } from './requests/session-values.ts'
import { isolationSql, sessionSql } from './sql/settings-sql.ts'
import type { Stopwatch } from './requests/timing.ts'
import { searchPathOf } from './sql/traces.ts'

/** The data API of one open project. */
export type Rest = {
  database: Database
  cache: SchemaCache
  settings: ServingSettings
  log: Log
}

/**
 * Answers one request of the data API; `other` is the function that another service answers, if there is one.
 * @throws Problem; anything else is a bug
 */
export async function serve(
  rest: Rest,
  request: RestRequest,
  identity: Identity,
  watch: Stopwatch,
  other?: OtherAnswer,
): Promise<Answer> {
  // Settings that stand in the database are read with its schema, so they come first.
  const schema = await loadedSchema(rest)
  const body = await readBody(request.body, request.headers['content-type'])
  const incomingNow = () => readIncoming({ ...request, body }, identity, rest.settings)
  try {
    const incoming = incomingNow()
    watch.lap('parse')
    checkAudience(schema, identity)
    return await attempt(rest, incoming, schema, watch, other)
  } catch (error) {
    if (!(error instanceof MissingProblem)) throw problemOf(error, identity, rest)
    const newer = await rest.cache.caughtUp(schema)
    if (!newer) throw error
    return await attempt(rest, incomingNow(), newer, watch, other).catch((again: unknown) => {
      throw problemOf(again, identity, rest)
    })
  }
}

function problemOf(error: unknown, { role }: Identity, { settings }: Rest): unknown {
  if (error instanceof Problem) return error
  return databaseProblem(error, role === (settings.anonRole ?? 'anon')) ?? error
}

export async function loadedSchema({ cache, log }: Rest): Promise<Schema> {
  try {
    return await cache.current()
  } catch (error) {
    log.warn({ err: error }, 'The schema of a project could not be loaded')
    const problem = databaseProblem(error, false)
    if (problem?.status === 503 || problem?.status === 504) throw problem
    const message = 'Could not query the database for the schema cache. Retrying.'
    throw new Problem(503, 'PGRST002', message, { headers: { 'retry-after': '1' } })
  }
}

async function attempt(
  rest: Rest,
  incoming: Incoming,
  schema: Schema,
  watch: Stopwatch,
  other: OtherAnswer | undefined,
): Promise<Answer> {
  const serving = { schema, settings: rest.settings }
  if (incoming.method === 'OPTIONS') return answerOptions(incoming, serving)
  const answered = other && (await answerElsewhere(incoming, serving, other))
  if (answered) return answered
  const prepared = prepareAsked(incoming, serving)
  const { statements, first } = transactionOf(incoming, prepared, serving)
  const { refuse } = prepared
  watch.lap('plan')
  const own = <T>(results: readonly T[]) => results.slice(first, first + prepared.statements.length)
  const transaction = {
    statements,
    epoch: schema.epoch,
    refuse: refuse && ((all: readonly Row[][]) => refuse(own(all))),
    leavesTraces: prepared.leavesTraces || (!prepared.readOnly && preRequest(schema) !== undefined),
    resetsSettings: true,
    keepsSettings:
      prepared.keepsSettings === true &&
      preRequest(schema) === undefined &&
      !endsInRollback(incoming.prefer.tx, schema),
  }
  const asksReplica = incoming.prefer.read === 'replica' && prepared.replicable === true
  const { rows: results, identifier } = await run(
    rest.database,
    incoming.identity.role,
    transaction,
    asksReplica,
  ).catch((error: unknown) => {
    const hint = grantHint(error, incoming, schema, rest.settings.grantPage)
    if (error instanceof Error && hint !== undefined) Object.assign(error, { hint })
    throw error
  })
  watch.lap('transaction')
  const from = prepared.answer(own(results))
  const answer = asksReplica ? withSource(from, identifier) : from
  watch.lap('response')
  if (schema.options.get('server_timing_enabled') !== 'true') return answer
  return { ...answer, headers: { ...answer.headers, 'server-timing': watch.header() } }
}

/** By a replica where that is asked for and one can, else by the primary, whatever a replica said. */
async function run(
  database: Database,
  role: string,
  transaction: Transaction,
  asksReplica: boolean,
): Promise<{ rows: Row[][]; identifier?: string }> {
  const answered = asksReplica ? await database.runOnReplica?.(role, transaction) : undefined
  return answered ?? { rows: await database.run(role, transaction) }
}

/** What the request does, or how it would be done. */
function prepareAsked(incoming: Incoming, serving: Serving): Prepared {
  const plan = planAsked(incoming, serving)
  if (!plan) return prepare(incoming, serving)
  const headers = { ...incoming.headers, accept: plan.of }
  const asIs = { ...incoming, headers, isExplained: true }
  return explained(prepare(asIs, serving), plan, incoming, serving)
}

function prepare(incoming: Incoming, serving: Serving): Prepared {
  const { method, resource } = incoming
  switch (resource.kind) {
    case 'root':
      if (isRead(method)) return prepareRoot(incoming, serving)
      throw badMethod(method)
    case 'function':
      if (isRead(method) || method === 'POST') return prepareCall(incoming, resource.name, serving)
      throw new Problem(405, 'PGRST101', `Cannot use the ${method} method on RPC`)
    case 'relation':
      if (isRead(method)) return prepareRead(incoming, resource.name, serving)
      if (isWriteVerb(method)) return prepareWrite(incoming, method, resource.name, serving)
      throw badMethod(method)
    default:
      return resource satisfies never
  }
}

const isWriteVerb = (method: string): method is WriteVerb =>
  ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method)

export const badMethod = (method: string): Problem =>
  new Problem(405, 'PGRST117', `Unsupported HTTP method: ${method}`)

/** The request's settings, what the project wants to run before every request, the request itself. */
export function transactionOf(
  incoming: Incoming,
  prepared: Pick<Prepared, 'readOnly' | 'settings' | 'statements'>,
  { schema, settings }: Serving,
): { statements: Statement[]; first: number } {
  const { identity, prefer } = incoming
  const requested = [
    ...(settings.everyRequest ?? []),
    ...(schema.roleSettings.get(identity.role) ?? []),
    ...prepared.settings,
  ]
  const session = sessionSql({
    role: identity.role,
    requestId: incoming.requestId,
    claims: identity.claims,
    method: incoming.method,
    path: incoming.path,
    headers: headersJson(incoming.headers),
    cookies: cookiesJson(incoming.headers.cookie),
    searchPath: searchPathOf(incoming.profile, settings),
    readOnly: prepared.readOnly,
    settings: [
      ...requested,
      ...(prefer.timezone === undefined ? [] : [['timezone', prefer.timezone] as const]),
    ],
  })
  const statements = [...isolationSql(requested), session]
  const before = preRequest(schema)
  if (before) statements.push({ text: `select ${before}()`, values: [] })
  const first = statements.length
  statements.push(...prepared.statements)
  if (endsInRollback(prefer.tx, schema)) statements.push({ text: 'rollback', values: [] })
  return { statements, first }
}

/** `schema.function`, or a function of the search path, as the setting of that name gives it. */
function preRequest(schema: Schema): string | undefined {
  const [before = '', name] = (schema.options.get('db_pre_request') ?? '').split('.')
  if (before === '') return undefined
  return name === undefined ? quoteIdent(before) : qualified({ schema: before, name })
}

function endsInRollback(asked: 'commit' | 'rollback' | undefined, schema: Schema): boolean {
  const end = schema.options.get('db_tx_end') ?? 'commit'
  const rollsBack = end.startsWith('rollback')
  return end.endsWith('allow-override') && asked ? asked === 'rollback' : rollsBack
}
