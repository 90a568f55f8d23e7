import { answerSql } from '../sql/answer-sql.ts'
import {
  bodyHeaders,
  bodyOf,
  commonHeaders,
  headerText,
  overridden,
  readResult,
} from '../answers/answer.ts'
import { countSql, totalOf, type Count } from '../sql/count.ts'
import { handlersFor, nodeFor } from './handlers.ts'
import { rangeOf, type Incoming } from './incoming.ts'
import { isObject, type Media } from '../answers/media.ts'
import { negotiate } from '../answers/negotiate.ts'
import { contentRange, pageOf, pageStatus } from '../query/page.ts'
import { parseQuery } from '../query/parse-query.ts'
import { planRead } from '../plan/plan-read.ts'
import { aggregatesEnabled, maxRowsOf, ofRoot, type Prepared, type Serving } from './prepared.ts'
import { notSingular } from '../answers/problem.ts'
import { rowsSql } from '../sql/read-sql.ts'
import { findRelation } from '../plan/resolve.ts'
import { Values } from '../sql/sql-parts.ts'
import { readsOwn, searchPathOf } from '../sql/traces.ts'

export const readMedia: readonly Media[] = [
  'json',
  'object',
  'object-stripped',
  'array',
  'array-stripped',
  'csv',
]

/** GET and HEAD of a table or view. */
export function prepareRead(incoming: Incoming, name: string, serving: Serving): Prepared {
  const relation = findRelation(serving.schema, incoming.profile, name)
  const query = parseQuery(incoming.rawQuery)
  const handlers = handlersFor(serving.schema, relation, query)
  const form = negotiate(incoming.headers.accept, readMedia, handlers)
  const page = pageOf(ofRoot(query.limit), ofRoot(query.offset), rangeOf(incoming))
  const maxRows = maxRowsOf(serving)
  const node = planRead(
    query,
    { name, relation },
    {
      page,
      maxRows,
      aggregates: aggregatesEnabled(serving),
      schema: serving.schema,
    },
  )
  const values = new Values()
  const rows = rowsSql(nodeFor(form, node), values)
  const count: Count = countSql(incoming.prefer.count, node, values, maxRows)
  const text = answerSql({ rows, form, total: count.total })
  const location = headerText(
    `/${encodeURIComponent(name)}${query.canonical === '' ? '' : `?${query.canonical}`}`,
  )
  return {
    readOnly: true,
    replicable: true,
    leavesTraces: false,
    keepsSettings: readsOwn(relation, node, form, searchPathOf(incoming.profile, serving.settings)),
    settings: [],
    statements: [{ text, values: values.list }, ...count.statements],
    refuse: undefined,
    answer([main, ...counts]) {
      const result = readResult(main)
      if (isObject(form) && result.rows !== 1) throw notSingular(result.rows)
      const seen = result.rows === 0 ? 0 : node.page.offset + result.rows
      const total = totalOf(count, result.total, counts, seen)
      const headers = {
        ...commonHeaders(incoming, serving.settings.exposedSchemas, [
          'count',
          'tx',
          'handling',
          'timezone',
        ]),
        ...bodyHeaders(form),
        'content-range': contentRange(node.page.offset, result.rows, total),
        'content-location': location,
      }
      const status = pageStatus(node.page.offset, result.rows, total)
      return overridden({ status, headers, body: bodyOf(form, result) }, result)
    },
  }
}
