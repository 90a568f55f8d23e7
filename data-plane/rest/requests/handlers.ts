import type { Catalog } from '../catalog/catalog.ts'
import type { Maker } from '../answers/media.ts'
import type { Made } from '../answers/negotiate.ts'
import type { ReadNode } from '../plan/plan-read.ts'
import type { Query } from '../query/query.ts'
import type { Relation, Schema } from '../catalog/schema.ts'
import { qualified } from '../sql/sql-parts.ts'

/** An aggregate of the database that makes an answer's body of its rows (contract §8). */
export type Handler = Maker & {
  schema: string
  name: string
  /** Whose rows it takes; undefined when any. */
  of: Relation | undefined
}
export type Handlers = {
  /** Those that take the rows of one relation. */
  of: ReadonlyMap<Relation, readonly Handler[]>
  /** Those that take any rows. */
  general: readonly Handler[]
}

/** Where several make the same type of the same rows, the first by name does. */
export function readHandlers(
  rows: Catalog['handlers'],
  relationOf: (place: { schema: string; name: string }) => Relation | undefined,
): Handlers {
  const own = new Map<Relation, Handler[]>()
  const general: Handler[] = []
  for (const row of rows.toSorted((a, b) => compare(qualified(a), qualified(b)))) {
    const { schema, name, media: type, bytes } = row
    const relation = row.of ? relationOf(row.of) : undefined
    // A relation out of sight has no address to ask at.
    if (row.of && !relation) continue
    const handler: Handler = { schema, name, type, bytes, of: relation }
    if (relation) own.set(relation, [...(own.get(relation) ?? []), handler])
    else general.push(handler)
  }
  return { of: own, general }
}

const compare = (a: string, b: string) => (a < b ? -1 : 1)

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
