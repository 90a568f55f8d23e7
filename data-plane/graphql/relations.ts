import type { Details } from './details.ts'
import { directivesOf } from './schema/directives.ts'
import type { Column, Draft, Relation } from './model.ts'
import { isName, pointerName, type Spelling } from './names.ts'
import type { CachedKey, CachedSchema } from './service.ts'

/**
 * Adds the fields that lead along foreign keys, both ways. Names can be given by the comment of the constraint. Where a
 * name is taken, such as by a second key between the same tables, the key's columns tell them apart.
 */
export function addRelations(
  profile: string,
  { foreignKeys, relations }: CachedSchema,
  details: Details,
  tables: ReadonlyMap<string, Draft>,
  spelling: Spelling,
): void {
  const comments = new Map(details.keys.map((key) => [JSON.stringify([key.table, key.name]), key]))
  const ours = foreignKeys.filter(
    (key) => key.schema === profile && key.target_schema === profile && key.columns.length > 0,
  )
  const isView = (name: string) => relations.get(profile)?.get(name)?.view ?? false
  const views = ({ relation, target }: CachedKey) =>
    Number(isView(relation)) + Number(isView(target))
  // Tables first: a view that is made takes no name from them.
  const sorted = ours.toSorted((a, b) => views(a) - views(b) || (a.name < b.name ? -1 : 1))
  for (const key of sorted) {
    const [own, target] = [tables.get(key.relation), tables.get(key.target)]
    const on = own && target && pairsOf(key, own, target)
    if (!own || !target || !on) continue
    const comment = comments.get(JSON.stringify([key.relation, key.name]))?.comment
    const { foreignName, localName } = directivesOf(comment)
    const by = spelling.type(key.columns.join('_'))
    const pointer = isView(key.target)
      ? target.fieldName
      : pointerName(key.columns, target.fieldName)
    const back = key.unique ? own.fieldName : `${own.fieldName}Collection`
    add(own, foreignName ?? spelling.field(pointer), by, { target, toOne: true, on })
    const reversed = on.map((pair) => ({ own: pair.other, other: pair.own }))
    add(target, localName ?? back, by, { target: own, toOne: key.unique, on: reversed })
  }
}

function add(table: Draft, name: string, by: string, relation: Relation): void {
  const free = [name, `${name}By${by}`].find((one) => isName(one) && !table.fields.has(one))
  if (free !== undefined) table.fields.set(free, { kind: 'relation', relation })
}

/** Undefined when the role may not read all of the columns: it could not follow the key. */
function pairsOf(key: CachedKey, own: Draft, target: Draft): Relation['on'] | undefined {
  const readable = (table: Draft, name: string | undefined): Column | undefined =>
    table.columns.find((column) => column.name === name && column.selectable)
  const pairs = key.columns.flatMap((name, i) => {
    const [from, to] = [readable(own, name), readable(target, key.target_columns[i])]
    return from && to ? [{ own: from, other: to }] : []
  })
  return pairs.length === key.columns.length ? pairs : undefined
}
