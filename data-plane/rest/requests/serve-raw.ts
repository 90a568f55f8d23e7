import { bodyHeaders, bodyOf, commonHeaders, overridden, readResult } from '../answers/answer.ts'
import { rawSql } from '../sql/answer-sql.ts'
import { scalarRows } from '../sql/call-sql.ts'
import type { Incoming } from './incoming.ts'
import { isRead } from './incoming.ts'
import type { Maker, Media } from '../answers/media.ts'
import { negotiate } from '../answers/negotiate.ts'
import type { Call } from '../plan/plan-call.ts'
import type { Prepared, Serving } from './prepared.ts'
import type { Fn } from '../catalog/schema.ts'
import { readMedia } from './serve-read.ts'
import { Values } from '../sql/sql-parts.ts'

/**
 * The form of what a function returns that makes the body itself, when asked for it; undefined for all other functions.
 * A set is none: each of its values would be a body.
 */
export function rawForm(fn: Fn, accept: string | undefined): Maker | Media | undefined {
  if (!fn.media || fn.set || fn.returns !== 'scalar') return undefined
  return negotiate(accept, readMedia, { own: [fn.media], general: [], first: fn.media })
}

/** A function that makes the body itself, as the media type that its result's domain is named after (contract §8). */
export function prepareRaw(
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
