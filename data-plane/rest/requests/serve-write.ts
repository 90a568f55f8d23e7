import { answerSql, countedSql } from '../sql/answer-sql.ts'
import {
  bodyHeaders,
  bodyOf,
  commonHeaders,
  headerText,
  overridden,
  readResult,
  type Answer,
  type Result,
} from '../answers/answer.ts'
import { payloadOf } from './body.ts'
import type { Row } from '../../projects/transaction.ts'
import { handlersFor, nodeFor } from './handlers.ts'
import type { Handler } from '../catalog/schema.ts'
import type { Incoming } from './incoming.ts'
import { isObject, type Media } from '../answers/media.ts'
import { negotiate } from '../answers/negotiate.ts'
import { contentRange, pageOf } from '../query/page.ts'
import { parseQuery } from '../query/parse-query.ts'
import { planRead } from '../plan/plan-read.ts'
import { planDelete, planInsert, planPut, planUpdate, type Write } from '../plan/plan-write.ts'
import type { Preferences } from '../query/prefer.ts'
import { aggregatesEnabled, ofRoot, type Prepared, type Serving } from './prepared.ts'
import { notSingular, otherKey, Problem } from '../answers/problem.ts'
import type { Query } from '../query/query.ts'
import { rowsSql } from '../sql/read-sql.ts'
import { findRelation } from '../plan/resolve.ts'
import { readMedia } from './serve-read.ts'
import { Values } from '../sql/sql-parts.ts'
import { leavesTraces, searchPathOf } from '../sql/traces.ts'
import { changedRows, changeSql, insertedCount, unseenSql } from '../sql/write-sql.ts'
import { quoteIdent } from '#contract/ddl/sql-text'

export type WriteVerb = 'POST' | 'PATCH' | 'PUT' | 'DELETE'

const applied: Record<WriteVerb, readonly (keyof Preferences)[]> = {
  POST: ['resolution', 'missing', 'return', 'count', 'tx', 'handling', 'timezone', 'maxAffected'],
  PATCH: ['missing', 'return', 'count', 'tx', 'handling', 'timezone', 'maxAffected'],
  PUT: ['return', 'count', 'tx', 'handling', 'timezone'],
  DELETE: ['return', 'count', 'tx', 'handling', 'timezone', 'maxAffected'],
}

/** POST, PATCH, PUT and DELETE of a table or view. */
export function prepareWrite(
  incoming: Incoming,
  verb: WriteVerb,
  name: string,
  serving: Serving,
): Prepared {
  const relation = findRelation(serving.schema, incoming.profile, name)
  const query = parseQuery(incoming.rawQuery)
  const handlers = handlersFor(serving.schema, relation, query)
  const form = negotiate(incoming.headers.accept, readMedia, handlers)
  const write = planWrite(verb, incoming, query, serving, relation)
  const values = new Values()
  const refuse = refusal(verb, incoming, form)
  const leaves = leavesTraces(write, form, searchPathOf(incoming.profile, serving.settings))
  const isUnseen = !leaves && refuse === undefined && !saysMore(incoming, write, serving)
  const text =
    isUnseen && write.kind !== 'update' ? unseenSql(write, values) : writeSql(write, form, values)
  return {
    readOnly: false,
    leavesTraces: leaves,
    keepsSettings: !leaves,
    settings: [],
    statements: [{ text, values: values.list }],
    refuse: refuse && (([rows]) => refuse(readResult(rows))),
    answer: ([rows]) => answerOf(verb, incoming, write, form, serving, rows),
  }
}

/**
 * Whether an answer tells more than that all went well: rows, their number, or what a function has set for it. Where only the
 * server's own code runs no function does, unless one looks at every request. A plan is one of all that an answer can need.
 */
function saysMore(incoming: Incoming, write: Write, { schema }: Serving): boolean {
  const { prefer, isExplained = false } = incoming
  const merges = write.kind === 'insert' && write.conflict?.merge === true
  const looksAtAll = (schema.options.get('db_pre_request') ?? '') !== ''
  const isCounted = prefer.count !== undefined
  return write.returning !== 'minimal' || isCounted || merges || looksAtAll || isExplained
}

function planWrite(
  verb: WriteVerb,
  incoming: Incoming,
  query: Query,
  serving: Serving,
  relation: Write['relation'],
): Write {
  const page = pageOf(ofRoot(query.limit), ofRoot(query.offset), undefined)
  const aggregates = aggregatesEnabled(serving)
  const source = { name: relation.name, relation }
  const read = planRead(query, source, {
    page,
    maxRows: undefined,
    aggregates,
    schema: serving.schema,
  })
  const context = { query, prefer: incoming.prefer, relation, read }
  if (verb === 'DELETE') return planDelete(context)
  const payload = payloadOf(incoming.body, incoming.headers['content-type'])
  switch (verb) {
    case 'POST':
      return planInsert(context, payload)
    case 'PUT':
      return planPut(context, payload)
    case 'PATCH':
      return planUpdate(context, payload)
    default:
      return verb satisfies never
  }
}

function writeSql(write: Write, form: Media | Handler, values: Values): string {
  const change = changeSql(write, values)
  const countsInserts = write.kind === 'insert' && write.conflict?.merge === true
  // The fifth column: here the number of rows that are new.
  const total = countsInserts ? `(select ${insertedCount})` : undefined
  switch (write.returning) {
    case 'representation': {
      const source = `${changedRows} as ${quoteIdent(write.relation.name)}`
      const rows = rowsSql(nodeFor(form, write.read), values, source)
      return answerSql({ with: change, rows, form, total })
    }
    case 'headers-only': {
      const rows = `select * from ${changedRows}`
      return answerSql({ with: change, rows, form: 'json', total })
    }
    case 'minimal':
      return countedSql({ with: change, rows: `select from ${changedRows}`, total })
    default:
      return write.returning satisfies never
  }
}

/** What makes a change be undone although the database did it. */
function refusal(
  verb: WriteVerb,
  { prefer }: Incoming,
  form: Media | Handler,
): ((result: Result) => Error | undefined) | undefined {
  // Also where none of it is shown: who asks for one row does not mean several to change.
  const single = isObject(form)
  const max = prefer.maxAffected
  if (!single && verb !== 'PUT' && max === undefined) return undefined
  return ({ rows }) => {
    if (verb === 'PUT' && rows !== 1) return otherKey()
    if (single && rows !== 1) return notSingular(rows)
    if (max !== undefined && rows > max) {
      const message = 'Query result exceeds max-affected preference constraint'
      return new Problem(400, 'PGRST124', message, { details: `The query affects ${rows} rows` })
    }
    return undefined
  }
}

function answerOf(
  verb: WriteVerb,
  incoming: Incoming,
  write: Write,
  form: Media | Handler,
  { settings }: Serving,
  rows: readonly Row[] | undefined,
): Answer {
  const result = readResult(rows)
  const shows = write.returning === 'representation'
  const total = incoming.prefer.count ? result.rows : undefined
  const headers = commonHeaders(incoming, settings.exposedSchemas, appliedTo(verb, write))
  if (verb !== 'PUT') {
    const listed = verb === 'PATCH' ? result.rows : 0
    headers['content-range'] = contentRange(0, listed, total)
  }
  if (shows) Object.assign(headers, bodyHeaders(form))
  const location =
    verb === 'POST' && write.returning === 'headers-only' && result.rows === 1
      ? locationOf(write, result.body)
      : undefined
  if (location !== undefined) headers['location'] = location
  const status = statusOf(verb, write, result)
  return overridden({ status, headers, body: shows ? bodyOf(form, result) : undefined }, result)
}

function appliedTo(verb: WriteVerb, write: Write): readonly (keyof Preferences)[] {
  const upserts = write.kind === 'insert' && write.conflict !== undefined
  return upserts ? applied[verb] : applied[verb].filter((name) => name !== 'resolution')
}

function statusOf(verb: WriteVerb, write: Write, result: Result): number {
  const shows = write.returning === 'representation'
  switch (verb) {
    case 'POST': {
      if (write.kind !== 'insert' || !write.conflict) return 201
      // What was ignored has changed nothing, so there is no update to tell of.
      if (!write.conflict.merge) return 201
      return (result.total ?? result.rows) > 0 ? 201 : 200
    }
    case 'PUT':
      if (!shows) return 204
      return (result.total ?? 0) > 0 ? 201 : 200
    case 'PATCH':
    case 'DELETE':
      return shows ? 200 : 204
    default:
      return verb satisfies never
  }
}

/** `/books?id=eq.5`, from the primary key of the one new row; a row without one has no address. */
function locationOf({ relation }: Write, body: string): string | undefined {
  if (relation.primaryKey.length === 0) return undefined
  // Our own statement's answer: an array of one object.
  const [row = {}] = JSON.parse(body) as Record<string, unknown>[]
  const key = relation.primaryKey.map((name) => {
    const value: unknown = row[name]
    const is =
      value === null
        ? 'is.null'
        : `eq.${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`
    return `${encodeURIComponent(name)}=${is}`
  })
  return headerText(`/${encodeURIComponent(relation.name)}?${key.join('&')}`)
}
