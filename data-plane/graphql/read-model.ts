import type { ColumnDetails, Details, TableDetails } from './details.ts'
import { describe, directivesOf } from './schema/directives.ts'
import { addFunctions } from './functions.ts'
import { createEnums, filterNames } from './schema/enums.ts'
import {
  rootNames,
  typeNames,
  type Column,
  type Draft,
  type Field,
  type Model,
  type Relation,
} from './model.ts'
import { lowerFirst, Names, spellingOf, type Spelling, isName, pointerName } from './names.ts'
import { enumOperators, listOperators, scalarNames, scalarOf } from './schema/scalars.ts'
import type { CachedRelation, CachedSchema, CachedKey } from './service.ts'

/** Names of types that are there whatever the tables are called. */
const ownTypes = [
  ...scalarNames,
  ...scalarNames.flatMap(filterNames),
  'Query',
  'Mutation',
  'Subscription',
  'Node',
  'PageInfo',
  'FilterIs',
  'OrderByDirection',
]
/** Words of a filter, which no column's field can be called. */
const filterWords = ['and', 'or', 'not']

/** What of the schema the role may see, under GraphQL's names. What has no such name, or one that is taken, is left out. */
export function readModel(profile: string, schema: CachedSchema, details: Details): Model {
  const spelling = spellingOf(directivesOf(details.comment).inflectNames)
  const types = new Names(ownTypes)
  const roots = new Names(['node'])
  const drafts: Draft[] = []
  const known = schema.relations.get(profile)
  const sorted = details.tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const table of sorted) {
    const relation = known?.get(table.name)
    if (relation) drafts.push(draftOf(profile, relation, table, spelling))
  }
  const named = drafts.filter(
    (table) =>
      types.take(table.typeName, ...Object.values(typeNames(table.typeName))) &&
      roots.take(rootNames(table).collection),
  )
  const enumOf = createEnums(details.enums, types, spelling)
  const byDetails = new Map(details.tables.map((table) => [table.name, table]))
  const tables = named.flatMap((draft) => {
    const relation = known?.get(draft.name)
    const found = byDetails.get(draft.name)
    return relation && found ? withColumns(draft, relation, found, spelling, enumOf) : []
  })
  const byName = new Map(tables.map((table) => [table.name, table]))
  addRelations(profile, schema, details, byName, spelling)
  const functions = addFunctions(details.functions, { profile, tables: byName, spelling, enumOf })
  return {
    tables,
    functions,
    byName,
    byType: new Map(tables.map((table) => [table.typeName, table])),
  }
}

function draftOf(
  schema: string,
  relation: CachedRelation,
  { comment, columns, delete: mayDelete }: TableDetails,
  spelling: Spelling,
): Draft {
  const { name: given, totalCount } = directivesOf(comment)
  const { name } = relation
  const typeName = given ?? spelling.type(name)
  return {
    schema,
    name,
    description: describe(comment),
    typeName,
    fieldName: lowerFirst(typeName),
    totalCount,
    deletable: mayDelete && relation.deletable,
    whole: columns.every(({ select }) => select) ? columns.map((one) => one.name) : undefined,
    primaryKey: [],
    fields: new Map(),
    columns: [],
  }
}

/** None without a primary key that can be read whole: pages and node ids are made of it. */
function withColumns(
  draft: Draft,
  relation: CachedRelation,
  details: TableDetails,
  spelling: Spelling,
  enumOf: ReturnType<typeof createEnums>,
): Draft[] {
  const names = new Names(['nodeId', ...filterWords])
  const columns = details.columns.flatMap((column) => {
    const cached = relation.columns.get(column.name)
    const field = directivesOf(column.comment).name ?? spelling.field(column.name)
    if (!cached || !names.take(field)) return []
    const { generated } = cached
    const insertable = column.insert && relation.insertable && !generated
    const updatable = column.update && relation.updatable && !generated
    return [{ ...columnOf(column, field, enumOf), insertable, updatable }]
  })
  const key = directivesOf(details.comment).primaryKeyColumns ?? relation.primaryKey
  const primaryKey = key.flatMap(
    (name) => columns.find((one) => one.name === name && one.selectable) ?? [],
  )
  if (primaryKey.length === 0 || primaryKey.length < key.length) return []
  const fields = new Map<string, Field>([['nodeId', { kind: 'nodeId' }]])
  for (const column of columns) {
    if (column.selectable) fields.set(column.field, { kind: 'column', column })
  }
  return [{ ...draft, primaryKey, fields, columns }]
}

function columnOf(
  details: ColumnDetails,
  field: string,
  enumOf: ReturnType<typeof createEnums>,
): Omit<Column, 'insertable' | 'updatable'> {
  const enumType = details.enum === null ? undefined : enumOf(details.enum)
  const kind = enumType
    ? ({ type: enumType, operators: enumOperators, asText: true } as const)
    : scalarOf(details.type)
  const operators = details.array ? listOperators : kind.operators
  return {
    name: details.name,
    field,
    description: describe(details.comment),
    notNull: details.not_null,
    list: details.array,
    kind,
    // What cannot be sorted cannot be compared in pages either, and most of it has no equality.
    operators: details.ordered ? operators : operators.filter((one) => one === 'is'),
    ordered: details.ordered && !details.array,
    selectable: details.select,
  }
}

/**
 * Adds the fields that lead along foreign keys, both ways. Names can be given by the comment of the constraint. Where a
 * name is taken, such as by a second key between the same tables, the key's columns tell them apart.
 */
function addRelations(
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
