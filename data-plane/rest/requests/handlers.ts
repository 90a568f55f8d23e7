import type { Maker } from '../answers/media.ts'
import type { Made } from '../answers/negotiate.ts'
import type { ReadNode } from '../plan/read-node.ts'
import type { Query } from '../query/query.ts'
import type { Handler, Relation, Schema } from '../catalog/schema.ts'
import { qualified } from '../sql/sql-parts.ts'

/** The handlers that fit what is asked for. One that takes the rows of a relation needs them whole. */
export function handlersFor(
  { handlers }: Schema,
  relation: Relation | undefined,
  { select }: Query,
): Made<Handler> {
  const [first, second] = select
  const whole = !first || (first.kind === 'all' && !second)
  const own = whole && relation ? handlers.of.get(relation) : undefined
  return { own: own ?? [], general: handlers.general, first: undefined }
}

/** The rows as the aggregate takes them: those of a relation with the values that are stored, not as they are shown. */
export const nodeFor = (form: string | Handler, node: ReadNode): ReadNode =>
  typeof form === 'object' && form.of ? { ...node, select: [{ kind: 'all', stored: true }] } : node

/** The body as text, made of the rows called `plinth_row`; bytes come in base64. */
export function madeSql(handler: Handler): string {
  const row = handler.of ? `plinth_row::${qualified(handler.of)}` : 'plinth_row'
  const made = `${qualified(handler)}(${row})`
  return `coalesce(${bodyText(made, handler)}, '')`
}

/** Text of a value that is a body. */
export const bodyText = (sql: string, { bytes }: Maker): string =>
  bytes ? `encode(${sql}::bytea, 'base64')` : `${sql}::text`
