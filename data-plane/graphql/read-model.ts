import type { ColumnDetails, Details, TableDetails } from './details.ts'
import { describe, directivesOf } from './schema/directives.ts'
import { addFunctions } from './functions.ts'
import { createEnums, filterNames } from './schema/enums.ts'
import { rootNames, typeNames, type Column, type Draft, type Field, type Model } from './model.ts'
import { lowerFirst, Names, spellingOf, type Spelling } from './names.ts'
import { addRelations } from './relations.ts'
import { enumOperators, listOperators, scalarNames, scalarOf } from './schema/scalars.ts'
import type { CachedRelation, CachedSchema } from './service.ts'

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
