import type { ServingSettings } from '../requests/incoming.ts'
import type { Media } from '../answers/media.ts'
import type { ReadNode } from '../plan/read-node.ts'
import type { Write } from '../plan/plan-write.ts'
import type { Field, Logic } from '../query/query.ts'
import type { Relation, Handler } from '../catalog/schema.ts'

/**
 * Whether a write may leave something in its session, such as an advisory lock or a temporary table: unless all that runs is known
 * to be the server's own code, and ours (docs/decisions/0036-tidying-after-writes.md).
 */
export function leavesTraces(
  write: Write,
  form: Media | Handler,
  searchPath: readonly string[],
): boolean {
  return !(
    isPlainChange(write) &&
    write.where.every((logic) => asksForOwn(write.relation, logic)) &&
    (write.returning !== 'representation' || showsOwn(write.relation, write.read)) &&
    isOurForm(form, searchPath)
  )
}

/** Whether all that a read runs is known to be the server's own code, and ours: it cannot set anything for its session. */
export function readsOwn(
  relation: Relation,
  node: ReadNode,
  form: Media | Handler,
  searchPath: readonly string[],
): boolean {
  return (
    relation.plain.read &&
    node.where.every((logic) => asksForOwn(relation, logic)) &&
    showsOwn(relation, node) &&
    isOurForm(form, searchPath)
  )
}

function isOurForm(form: Media | Handler, searchPath: readonly string[]): form is Media {
  // Where pg_catalog is not named it comes first, and nothing can take the place of what it has.
  return typeof form === 'string' && !searchPath.includes('pg_catalog')
}

export const searchPathOf = (
  profile: string,
  { extraSearchPath }: Pick<ServingSettings, 'extraSearchPath'>,
): string[] => [profile, ...extraSearchPath]

function isPlainChange(write: Write): boolean {
  const { plain } = write.relation
  switch (write.kind) {
    case 'insert':
      return plain.insert && (!write.conflict?.merge || plain.update)
    case 'update':
      return plain.update
    case 'delete':
      return plain.delete
    default:
      return write satisfies never
  }
}

/** What is no column of its own is computed by a function. */
const isOwn = ({ columns }: Relation, field: Field | undefined) =>
  field !== undefined && columns.has(field.name)

const asksForOwn = (relation: Relation, logic: Logic): boolean =>
  logic.kind === 'filter'
    ? isOwn(relation, logic.field)
    : logic.of.every((one) => asksForOwn(relation, one))

/** A cast and an aggregate can be the database's own, too. */
const showsOwn = (relation: Relation, { select, embeds, order }: ReadNode): boolean =>
  embeds.length === 0 &&
  order.every((term) => term.relation === undefined && isOwn(relation, term.field)) &&
  select.every(
    (item) =>
      item.kind === 'all' ||
      (isOwn(relation, item.field) && item.cast === undefined && item.aggregate === undefined),
  )
