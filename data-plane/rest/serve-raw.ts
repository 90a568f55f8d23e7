import { bodyHeaders, commonHeaders, overridden, readResult } from './answer.ts'
import { rawSql } from './answer-sql.ts'
import { scalarRows } from './call-sql.ts'
import type { Incoming } from './incoming.ts'
import { isRead } from './incoming.ts'
import { admit } from './media.ts'
import type { Call } from './plan-call.ts'
import type { Prepared, Serving } from './prepared.ts'
import type { Fn } from './schema.ts'
import { Values } from './sql-parts.ts'

type Maker = NonNullable<Fn['media']>

/** A function that makes the body itself, as the media type that its result's domain is named after (contract §8). */
export function prepareRaw(
  incoming: Incoming,
  call: Call,
  made: Maker,
  { settings }: Serving,
  own: Prepared['settings'],
): Prepared {
  admit(incoming.headers.accept, made.type)
  const values = new Values()
  const text = rawSql({ rows: scalarRows(call, values) }, made.bytes)
  return {
    readOnly: isRead(incoming.method) || !call.fn.volatile,
    settings: own,
    statements: [{ text, values: values.list }],
    refuse: undefined,
    answer([rows]) {
      const result = readResult(rows)
      const headers = {
        ...commonHeaders(incoming, settings.exposedSchemas, ['tx', 'handling', 'timezone']),
        ...bodyHeaders('json'),
        'content-type': made.type === '*/*' ? 'application/octet-stream' : made.type,
      }
      const body = made.bytes ? Buffer.from(result.body, 'base64') : result.body
      return overridden({ status: 200, headers, body }, result)
    },
  }
}
