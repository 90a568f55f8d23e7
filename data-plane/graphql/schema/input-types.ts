import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputFieldConfigMap,
  type GraphQLInputType,
} from 'graphql'
import { columnsFor, typeNames, type Column, type Table, type Value } from '../model.ts'
import type { Operator } from './scalars.ts'

const filterIs = new GraphQLEnumType({
  name: 'FilterIs',
  values: { NULL: { value: 'null' }, NOT_NULL: { value: 'not null' } },
})

/** The values are SQL, and the only ones that there can be. */
const direction = new GraphQLEnumType({
  name: 'OrderByDirection',
  values: {
    AscNullsFirst: { value: 'asc nulls first' },
    AscNullsLast: { value: 'asc nulls last' },
    DescNullsFirst: { value: 'desc nulls first' },
    DescNullsLast: { value: 'desc nulls last' },
  },
})

const listOf = (type: GraphQLInputType) => new GraphQLList(new GraphQLNonNull(type))

function operandOf(operator: Operator, { kind, list }: Column): GraphQLInputType {
  if (operator === 'is') return filterIs
  const isText = ['like', 'ilike', 'startsWith', 'regex', 'iregex'].includes(operator)
  if (isText) return GraphQLString
  return list || operator === 'in' ? listOf(kind.type) : kind.type
}

const valueType = ({ kind, list }: Value): GraphQLInputType =>
  list ? new GraphQLList(kind.type) : kind.type

/** The input types of one schema; those of filters are shared by the columns of a type. */
export function createInputTypes() {
  const filters = new Map<string, GraphQLInputObjectType>()
  const nodeIdFilter = new GraphQLInputObjectType({
    name: 'IDFilter',
    fields: { eq: { type: GraphQLID } },
  })

  function columnFilter(column: Column): GraphQLInputObjectType {
    const base = `${column.kind.type.name}${column.list ? 'ListFilter' : 'Filter'}`
    // A domain or a type that cannot be compared offers less than others of its GraphQL type.
    const key = `${base} ${column.operators.join()}`
    const found = filters.get(key)
    if (found) return found
    const taken = [...filters.values()].filter(({ name }) => name.startsWith(base)).length
    const made = new GraphQLInputObjectType({
      name: taken === 0 ? base : `${base}_${taken}`,
      fields: Object.fromEntries(
        column.operators.map((operator) => [operator, { type: operandOf(operator, column) }]),
      ),
    })
    filters.set(key, made)
    return made
  }

  function filterOf(table: Table): GraphQLInputObjectType {
    const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: typeNames(table.typeName).filter,
      fields: () => {
        const fields: GraphQLInputFieldConfigMap = { nodeId: { type: nodeIdFilter } }
        for (const column of table.columns) {
          const isFilter = column.selectable && column.operators.length > 0
          if (isFilter) fields[column.field] = { type: columnFilter(column) }
        }
        fields['and'] = { type: listOf(filter) }
        fields['or'] = { type: listOf(filter) }
        fields['not'] = { type: filter }
        return fields
      },
    })
    return filter
  }

  function orderOf(table: Table): GraphQLInputObjectType | undefined {
    const columns = table.columns.filter((column) => column.selectable && column.ordered)
    if (columns.length === 0) return undefined
    return new GraphQLInputObjectType({
      name: typeNames(table.typeName).orderBy,
      fields: Object.fromEntries(columns.map(({ field }) => [field, { type: direction }])),
    })
  }

  function rowOf(
    table: Table,
    right: 'insertable' | 'updatable',
  ): GraphQLInputObjectType | undefined {
    const columns = columnsFor(table, right)
    if (columns.length === 0) return undefined
    const { insertInput, updateInput } = typeNames(table.typeName)
    return new GraphQLInputObjectType({
      name: right === 'insertable' ? insertInput : updateInput,
      // Whether a value is missing only the database can tell: a trigger may give it.
      fields: Object.fromEntries(
        columns.map(({ field, kind, list }) => [field, { type: valueType({ kind, list }) }]),
      ),
    })
  }

  return { filterOf, orderOf, rowOf, valueType }
}

export const required = (type: GraphQLInputType): GraphQLNonNull<GraphQLInputType> =>
  new GraphQLNonNull(type)

export const requiredList = (type: GraphQLInputType): GraphQLInputType => required(listOf(type))

export const flag = new GraphQLNonNull(GraphQLBoolean)
