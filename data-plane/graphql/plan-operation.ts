import { GraphQLError, type GraphQLObjectType, type OperationDefinitionNode } from 'graphql'
import type { Built, Root } from './schema/build-schema.ts'
import { readNodeId } from './cursor.ts'
import { Budget, maxObjects, type Limits } from './limits.ts'
import { typeNames, type Model, type Table } from './model.ts'
import type { Filter, RootPlan } from './plan.ts'
import { Planner } from './planner.ts'
import type { Selected, Selections } from './selections.ts'

/** What the fields of an operation read and write, one after the other. Introspection needs none. @throws GraphQLError */
export function planOperation(
  { model, roots }: Built,
  operation: OperationDefinitionNode,
  type: GraphQLObjectType,
  selections: Selections,
  limits: Limits,
): RootPlan[] {
  const planner = new Planner(selections, new Budget(limits))
  return planner.below(type, { nodes: [operation] }, 1).flatMap((selected) => {
    const root = roots.get(selected.name)
    if (!root) return []
    try {
      const args = selections.argumentsOf(type, selected)
      return planRoot(model, root, type, selected, args, planner) ?? []
    } catch (error) {
      if (!(error instanceof GraphQLError) || error.path) throw error
      const { message, nodes = [] } = error
      throw new GraphQLError(message, { nodes, path: [selected.key] })
    }
  })
}

/** Undefined: there is nothing at this node id. */
function planRoot(
  model: Model,
  root: Root,
  type: GraphQLObjectType,
  selected: Selected,
  args: Record<string, unknown>,
  planner: Planner,
): RootPlan | undefined {
  const { key, node } = selected
  if (root.kind === 'node') return planNode(model, selected, args, planner)
  if (root.kind === 'call') {
    const read = planner.read(root.fn, type, selected, { depth: 1, times: 1 })
    return { key, node, kind: 'call', fn: root.fn, args, read }
  }
  const { kind, table } = root
  const names = typeNames(table.typeName)
  // GraphQL has read the arguments in the types that the schema gives them.
  const filter = (args['filter'] ?? undefined) as Filter | undefined
  const atMost = Number(args['atMost'] ?? 0)
  if (atMost < 0) throw new GraphQLError('"atMost" cannot be negative', { nodes: node })
  const place = { depth: 1, times: atMost }
  switch (kind) {
    case 'collection': {
      const connection = planner.connection(table, type, selected, { depth: 1, times: 1 })
      return { key, node, kind, connection }
    }
    case 'insert': {
      const objects = args['objects'] as readonly Filter[]
      if (objects.length === 0 || objects.length > maxObjects) {
        const message = `"objects" has to hold 1 to ${maxObjects} objects`
        throw new GraphQLError(message, { nodes: node })
      }
      const inserted = { depth: 1, times: objects.length }
      const response = planner.response(table, names.insertResponse, selected, inserted)
      return { key, node, kind, table, objects, response }
    }
    case 'update': {
      const set = args['set'] as Filter
      if (Object.keys(set).length === 0) {
        throw new GraphQLError('"set" has to give at least one value', { nodes: node })
      }
      const response = planner.response(table, names.updateResponse, selected, place)
      return { key, node, kind, table, set, filter, atMost, response }
    }
    case 'delete': {
      const response = planner.response(table, names.deleteResponse, selected, place)
      return { key, node, kind, table, filter, atMost, response }
    }
    default:
      return kind satisfies never
  }
}

/** The node id says which table it is, so that only what is asked of that table's type is planned. */
function planNode(
  model: Model,
  selected: Selected,
  args: Record<string, unknown>,
  planner: Planner,
): RootPlan | undefined {
  const { key, node } = selected
  const id = readNodeId(String(args['nodeId']))
  if (!id) throw new GraphQLError('This is no node id', { nodes: node })
  const table = model.byName.get(id.name)
  if (!table || table.schema !== id.schema || !fits(table, id.key)) return undefined
  const row = planner.row(table, selected, { depth: 1, times: 1 })
  return { key, node, kind: 'node', id: id.key, row }
}

const fits = ({ primaryKey }: Table, key: readonly string[]) => primaryKey.length === key.length
