import { answerSql, countedSql, scalarSql, rawSql } from '../sql/answer-sql.ts'
import {
  bodyHeaders,
  bodyOf,
  commonHeaders,
  overridden,
  readResult,
  type Result,
} from '../answers/answer.ts'
import { callSource, scalarRows } from '../sql/call-sql.ts'
import { exactTotal } from '../sql/count.ts'
import { handlersFor, nodeFor } from './handlers.ts'
import { isRead, rangeOf, type Incoming } from './incoming.ts'
import { quoteIdent } from '#contract/ddl/sql-text'
import { isObject, type Media, type Maker } from '../answers/media.ts'
import { negotiate } from '../answers/negotiate.ts'
import { contentRange, pageOf, pageStatus } from '../query/page.ts'
import { parseQuery } from '../query/parse-query.ts'
import { offerOfBody, offerOfQuery, planCall, type Call } from '../plan/plan-call.ts'
import { planRead } from '../plan/plan-read.ts'
import type { ReadNode } from '../plan/read-node.ts'
import { aggregatesEnabled, maxRowsOf, ofRoot, type Prepared, type Serving } from './prepared.ts'
import { notSingular, Problem } from '../answers/problem.ts'
import { rowsSql, unpagedSql } from '../sql/read-sql.ts'
import { readMedia } from './serve-read.ts'
import type { Schema, Handler, Fn } from '../catalog/schema.ts'
import { listOf } from '../server/setting-table.ts'
import { Values } from '../sql/sql-parts.ts'

/** Settings in a function's SET clauses that only have an effect when the transaction that calls it starts with them. */
const usuallyHoisted = ['statement_timeout', 'lock_timeout', 'default_transaction_isolation']
function hoistedIn({ options }: Schema): ReadonlySet<string> {
  const setting = options.get('db_hoisted_tx_settings')
  const names = setting === undefined ? usuallyHoisted : listOf(setting)
  return new Set(names.map((name) => name.toLowerCase()))
}

/** GET, HEAD and POST of a function. */
export function prepareCall(incoming: Incoming, name: string, serving: Serving): Prepared {
  const reads = isRead(incoming.method)
  const query = parseQuery(incoming.rawQuery, reads)
  const offer = reads
    ? offerOfQuery(query.args)
    : offerOfBody(incoming.body, incoming.headers['content-type'], query.columns)
  const call = planCall(serving.schema, incoming.profile, name, offer)
  const { fn } = call
  const hoisted = hoistedIn(serving.schema)
  const own = fn.settings.filter(([setting]) => hoisted.has(setting.toLowerCase()))
  const { accept } = incoming.headers
  const raw = rawForm(fn, accept)
  if (typeof raw === 'object') return prepareRaw(incoming, call, raw, serving, own)
  const handlers =
    fn.returns === 'composite' ? handlersFor(serving.schema, fn.relation, query) : undefined
  const form = raw ?? negotiate(accept, readMedia, handlers)
  const page = pageOf(ofRoot(query.limit), ofRoot(query.offset), rangeOf(incoming))
  const source = { name: fn.name, relation: fn.relation }
  const aggregates = aggregatesEnabled(serving)
  const node = planRead(query, source, {
    page,
    maxRows: maxRowsOf(serving),
    aggregates,
    schema: serving.schema,
  })
  const values = new Values()
  const text = callSql(call, node, form, incoming.prefer.count !== undefined, values)
  const refuse = refusal(call, incoming, form)
  const readOnly = reads || !fn.volatile
  return {
    readOnly,
    replicable: reads && !fn.volatile,
    leavesTraces: !readOnly,
    settings: own,
    statements: [{ text, values: values.list }],
    // What changes nothing can be refused afterwards.
    refuse: refuse && !readOnly ? ([rows]) => refuse(readResult(rows)) : undefined,
    answer([rows]) {
      const result = readResult(rows)
      const refused = refuse?.(result)
      if (refused) throw refused
      const headers = commonHeaders(incoming, serving.settings.exposedSchemas, [
        'count',
        'tx',
        'handling',
        'timezone',
        'maxAffected',
      ])
      if (fn.returns === 'void') {
        return overridden({ status: 204, headers, body: undefined }, result)
      }
      const { offset } = node.page
      headers['content-range'] = contentRange(offset, result.rows, result.total)
      Object.assign(headers, bodyHeaders(form))
      const status = pageStatus(offset, result.rows, result.total)
      return overridden({ status, headers, body: bodyOf(form, result) }, result)
    },
  }
}

/** What the header line of CSV calls values that have no column. */
const scalarColumn = 'pgrst_scalar'

function callSql(
  call: Call,
  node: ReadNode,
  form: Media | Handler,
  counts: boolean,
  values: Values,
): string {
  const { fn } = call
  if (fn.returns === 'void') return countedSql({ rows: scalarRows(call, values) })
  const isScalar = fn.returns === 'scalar'
  let source = isScalar ? scalarRows(call, values) : callSource(call, values)
  let before = ''
  if (counts) {
    // Counting must not call the function a second time.
    const rows = isScalar ? source : `select ${quoteIdent(fn.name)}.* from ${source}`
    before = `with plinth_call as materialized (${rows}) `
    source = isScalar ? 'select * from plinth_call' : `plinth_call as ${quoteIdent(fn.name)}`
  }
  if (isScalar) {
    const total = counts ? exactTotal(source) : undefined
    // Conditions and order find no column of theirs here, and the database says so.
    const rows = rowsSql(
      { ...node, select: [{ kind: 'all' }] },
      values,
      `(${source}) ${quoteIdent(fn.name)}`,
    )
    if (form === 'csv') {
      const named = `select plinth_scalar as ${scalarColumn} from (${rows}) plinth_value`
      return answerSql({ with: before, rows: named, form, total })
    }
    return scalarSql({ with: before, rows, total }, fn.set && !isObject(form))
  }
  const rows = rowsSql(nodeFor(form, node), values, source)
  const total = counts ? exactTotal(unpagedSql(node, values, source)) : undefined
  // One row that is no set is an object by itself.
  const shown = !fn.set && form === 'json' ? 'object' : form
  return answerSql({ with: before, rows, form: shown, total })
}

function refusal(
  { fn }: Call,
  { prefer }: Incoming,
  form: Media | Handler,
): ((result: Result) => Error | undefined) | undefined {
  const single = isObject(form) && fn.returns !== 'void'
  const max = prefer.maxAffected
  if (max !== undefined && !fn.set) {
    throw new Problem(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    )
  }
  if (!single && max === undefined) return undefined
  return ({ rows }) => {
    if (single && rows !== 1) return notSingular(rows)
    if (max !== undefined && rows > max) {
      return new Problem(
        400,
        'PGRST124',
        'Query result exceeds max-affected preference constraint',
        { details: `The query affects ${rows} rows` },
      )
    }
    return undefined
  }
}

/**
 * The form of what a function returns that makes the body itself, when asked for it; undefined for all other functions.
 * A set is none: each of its values would be a body.
 */
function rawForm(fn: Fn, accept: string | undefined): Maker | Media | undefined {
  if (!fn.media || fn.set || fn.returns !== 'scalar') return undefined
  return negotiate(accept, readMedia, { own: [fn.media], general: [], first: fn.media })
}

/** A function that makes the body itself, as the media type that its result's domain is named after (contract §8). */
function prepareRaw(
  incoming: Incoming,
  call: Call,
  made: Maker,
  { settings }: Serving,
  own: Prepared['settings'],
): Prepared {
  const values = new Values()
  const text = rawSql({ rows: scalarRows(call, values) }, made)
  const readOnly = isRead(incoming.method) || !call.fn.volatile
  return {
    readOnly,
    replicable: isRead(incoming.method) && !call.fn.volatile,
    leavesTraces: !readOnly,
    settings: own,
    statements: [{ text, values: values.list }],
    refuse: undefined,
    answer([rows]) {
      const result = readResult(rows)
      const headers = {
        ...commonHeaders(incoming, settings.exposedSchemas, ['tx', 'handling', 'timezone']),
        ...bodyHeaders(made),
      }
      return overridden({ status: 200, headers, body: bodyOf(made, result) }, result)
    },
  }
}
