import {
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
} from 'graphql'
import { createInputTypes, flag, required } from './input-types.ts'
import { typeNames, type Column, type Field, type Func, type Table } from '../model.ts'
import { cursorScalar } from './scalars.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>
type OneField = GraphQLFieldConfig<unknown, unknown>

const nonNull = <T extends GraphQLObjectType>(type: T) => new GraphQLNonNull(type)
const allOf = (type: GraphQLObjectType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
const id: OneField = {
  type: new GraphQLNonNull(GraphQLID),
  description: 'Names the row among all rows of all tables',
}
export const affectedCount: OneField = { type: new GraphQLNonNull(GraphQLInt) }

const pageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  fields: {
    hasNextPage: { type: flag },
    hasPreviousPage: { type: flag },
    startCursor: { type: GraphQLString },
    endCursor: { type: GraphQLString },
  },
})

/** Types of the rows of tables, of their collections and of what is said about them. */
export function createObjectTypes(inputs: ReturnType<typeof createInputTypes>) {
  const node = new GraphQLInterfaceType({ name: 'Node', fields: { nodeId: id } })
  const rows = new Map<Table, GraphQLObjectType>()
  const connections = new Map<Table, GraphQLObjectType>()
  const pages = new Map<Table, GraphQLFieldConfigArgumentMap>()

  function rowType(table: Table): GraphQLObjectType {
    const found = rows.get(table)
    if (found) return found
    const made = new GraphQLObjectType({
      name: table.typeName,
      description: table.description ?? null,
      interfaces: [node],
      fields: () => {
        const fields: Fields = {}
        for (const [name, field] of table.fields) fields[name] = fieldOf(field)
        return fields
      },
    })
    rows.set(table, made)
    return made
  }

  function fieldOf(field: Field): OneField {
    switch (field.kind) {
      case 'nodeId':
        return id
      case 'column':
        return { type: typeOf(field.column), description: field.column.description ?? null }
      case 'relation': {
        const { target, toOne } = field.relation
        // Also where the key is not null: row level security may hide the row that it points to.
        return toOne ? { type: rowType(target) } : collection(target)
      }
      case 'computed':
        return functionField(field.fn)
      default:
        return field satisfies never
    }
  }

  function typeOf({ list, kind, notNull }: Column): OneField['type'] {
    const type = list ? new GraphQLList(kind.type) : kind.type
    return notNull ? new GraphQLNonNull(type) : type
  }

  /** Whatever a function returns can be null. */
  function functionField({ returns, args, ...fn }: Func): OneField {
    const description = fn.description ?? null
    const own = Object.fromEntries(
      args.map(({ field, optional, value }) => [
        field,
        { type: optional ? inputs.valueType(value) : required(inputs.valueType(value)) },
      ]),
    )
    switch (returns.kind) {
      case 'value': {
        const { kind, list } = returns.value
        return { type: list ? new GraphQLList(kind.type) : kind.type, args: own, description }
      }
      case 'row':
        return { type: rowType(returns.table), args: own, description }
      case 'rows': {
        const rows = collection(returns.table)
        return { ...rows, args: { ...own, ...rows.args }, description }
      }
      default:
        return returns satisfies never
    }
  }

  function connectionType(table: Table): GraphQLObjectType {
    const found = connections.get(table)
    if (found) return found
    const names = typeNames(table.typeName)
    const edge = new GraphQLObjectType({
      name: names.edge,
      fields: () => ({
        cursor: { type: new GraphQLNonNull(cursorScalar) },
        node: { type: nonNull(rowType(table)) },
      }),
    })
    const made = new GraphQLObjectType({
      name: names.connection,
      fields: () => ({
        edges: { type: allOf(edge) },
        pageInfo: { type: nonNull(pageInfo) },
        // Counting reads every row that matches, so a table has to ask for it.
        ...(table.totalCount ? { totalCount: affectedCount } : {}),
      }),
    })
    connections.set(table, made)
    return made
  }

  function pageArguments(table: Table): GraphQLFieldConfigArgumentMap {
    const found = pages.get(table)
    if (found) return found
    const order = inputs.orderOf(table)
    const made: GraphQLFieldConfigArgumentMap = {
      first: { type: GraphQLInt, description: 'The first so many rows, behind `after`' },
      last: { type: GraphQLInt, description: 'The last so many rows, ahead of `before`' },
      before: { type: cursorScalar },
      after: { type: cursorScalar },
      offset: { type: GraphQLInt, description: 'So many rows are passed over' },
      filter: { type: filterType(table) },
      ...(order ? { orderBy: { type: new GraphQLList(new GraphQLNonNull(order)) } } : {}),
    }
    pages.set(table, made)
    return made
  }

  const filters = new Map<Table, ReturnType<typeof inputs.filterOf>>()
  function filterType(table: Table) {
    const found = filters.get(table) ?? inputs.filterOf(table)
    filters.set(table, found)
    return found
  }

  const collection = (table: Table): OneField => ({
    type: connectionType(table),
    args: pageArguments(table),
  })

  const nodeField: OneField = {
    type: node,
    args: { nodeId: { type: new GraphQLNonNull(GraphQLID) } },
  }
  return { rowType, collection, filterType, nodeField, functionField }
}

/** What a mutation answers. */
export const responseType = (name: string, row: GraphQLObjectType): GraphQLObjectType =>
  new GraphQLObjectType({ name, fields: { affectedCount, records: { type: allOf(row) } } })
