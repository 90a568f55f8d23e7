import {
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLFieldConfigMap,
  type GraphQLInputType,
} from 'graphql'
import { createInputTypes, required, requiredList } from './input-types.ts'
import { rootNames, typeNames, type Func, type Model, type Table } from '../model.ts'
import { createObjectTypes, responseType } from './object-types.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** What a field of the query or of the mutation does. */
export type Root =
  | { kind: 'node' }
  | { kind: 'collection' | 'insert' | 'update' | 'delete'; table: Table }
  | { kind: 'call'; fn: Func }

export type Built = {
  model: Model
  schema: GraphQLSchema
  /** By the name of the field. */
  roots: ReadonlyMap<string, Root>
}

/** The GraphQL schema of what a role may see and do. */
export function buildSchema(model: Model): Built {
  const inputs = createInputTypes()
  const objects = createObjectTypes(inputs)
  const roots = new Map<string, Root>([['node', { kind: 'node' }]])
  const query: Fields = { node: objects.nodeField }
  const mutation: Fields = {}

  function addMutations(table: Table): void {
    const names = rootNames(table)
    const types = typeNames(table.typeName)
    const row = objects.rowType(table)
    const filter = { type: objects.filterType(table) }
    const atMost = {
      type: required(GraphQLInt),
      defaultValue: 1,
      description: 'Nothing is done when more rows than these would be touched',
    }
    const add = (
      kind: 'insert' | 'update' | 'delete',
      type: string,
      args: Record<string, { type: GraphQLInputType }>,
    ) => {
      roots.set(names[kind], { kind, table })
      mutation[names[kind]] = { type: responseType(type, row), args }
    }
    const inserted = inputs.rowOf(table, 'insertable')
    if (inserted) add('insert', types.insertResponse, { objects: { type: requiredList(inserted) } })
    const updated = inputs.rowOf(table, 'updatable')
    if (updated)
      add('update', types.updateResponse, { set: { type: required(updated) }, filter, atMost })
    if (table.deletable) add('delete', types.deleteResponse, { filter, atMost })
  }

  for (const table of model.tables) {
    const { collection } = rootNames(table)
    roots.set(collection, { kind: 'collection', table })
    query[collection] = objects.collection(table)
    addMutations(table)
  }
  for (const fn of model.functions) {
    // Tables come first, and a name is a field of the query or of the mutation, not of both.
    if (roots.has(fn.field)) continue
    roots.set(fn.field, { kind: 'call', fn })
    const fields = fn.volatile ? mutation : query
    fields[fn.field] = objects.functionField(fn)
  }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    mutation:
      Object.keys(mutation).length === 0
        ? null
        : new GraphQLObjectType({ name: 'Mutation', fields: mutation }),
    types: model.tables.map(objects.rowType),
  })
  return { model, schema, roots }
}
