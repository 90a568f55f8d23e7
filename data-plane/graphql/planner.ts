import type { GraphQLObjectType } from 'graphql'
import type { Budget } from './limits.ts'
import { typeNames, type Func, type Table } from './model.ts'
import { planPage } from './plan-page.ts'
import type {
  ConnectionField,
  ConnectionPlan,
  EdgeField,
  Filter,
  PageInfo,
  ReadPlan,
  ResponsePlan,
  RowField,
  RowPlan,
} from './plan.ts'
import type { Selected, Selecting, Selections } from './selections.ts'

/** Where a place of the answer is: how deep, and how often it can be there. */
export type Place = { depth: number; times: number }

/** Plans what is read of rows and collections; nothing in it has touched the database. */
export class Planner {
  private readonly selections: Selections
  private readonly budget: Budget

  constructor(selections: Selections, budget: Budget) {
    this.selections = selections
    this.budget = budget
  }

  /** Collects the fields below some fields of the same place, each against the limits. */
  below(
    type: GraphQLObjectType,
    { nodes }: { nodes: readonly Selecting[] },
    depth: number,
  ): Selected[] {
    const found = this.selections.of(type, nodes)
    for (const { node } of found) this.budget.spendField(node, depth)
    return found
  }

  row(table: Table, selected: Selected, place: Place): RowPlan {
    const type = this.selections.typeOf(table.typeName)
    const depth = place.depth + 1
    const fields = this.below(type, selected, depth).flatMap((one): RowField[] => {
      const field = table.fields.get(one.name)
      const { key } = one
      if (!field) return []
      if (field.kind === 'computed') {
        const read = this.read(field.fn, type, one, { depth, times: place.times })
        return [{ key, kind: 'computed', fn: field.fn, read }]
      }
      if (field.kind !== 'relation') return [{ key, ...field }]
      const { relation } = field
      const { target } = relation
      const inside = { depth, times: place.times }
      if (!relation.toOne) {
        return [
          { key, kind: 'many', relation, connection: this.connection(target, type, one, inside) },
        ]
      }
      this.budget.spendRows(one.node, place.times)
      return [{ key, kind: 'one', relation, row: this.row(target, one, inside) }]
    })
    return { table, fields }
  }

  /** Of what a function returns; `parent` is the type that has the field. */
  read({ returns }: Func, parent: GraphQLObjectType, selected: Selected, place: Place): ReadPlan {
    switch (returns.kind) {
      case 'value':
        return returns
      case 'row':
        this.budget.spendRows(selected.node, place.times)
        return { kind: 'row', row: this.row(returns.table, selected, place) }
      case 'rows':
        return {
          kind: 'rows',
          connection: this.connection(returns.table, parent, selected, place),
        }
      default:
        return returns satisfies never
    }
  }

  /** `parent` is the type that has the field. */
  connection(
    table: Table,
    parent: GraphQLObjectType,
    selected: Selected,
    { depth, times }: Place,
  ): ConnectionPlan {
    const args = this.selections.argumentsOf(parent, selected)
    const page = planPage(table, args, selected.node)
    this.budget.spendRows(selected.node, times * Math.max(page.size, 1))
    const rows: RowPlan[] = []
    const names = typeNames(table.typeName)
    const type = this.selections.typeOf(names.connection)
    const inside = { depth: depth + 2, times: times * page.size }
    const fields = this.below(type, selected, depth + 1).map((one): ConnectionField => {
      const { key } = one
      if (one.name === 'totalCount') return { key, kind: 'totalCount' }
      if (one.name === 'pageInfo') return this.pageInfo(one, depth + 2)
      return { key, kind: 'edges', fields: this.edges(table, one, inside, rows) }
    })
    // GraphQL has read it as an object.
    return {
      table,
      page,
      filter: (args['filter'] ?? undefined) as Filter | undefined,
      fields,
      rows,
    }
  }

  private pageInfo(selected: Selected, depth: number): ConnectionField {
    const type = this.selections.typeOf('PageInfo')
    const fields = this.below(type, selected, depth).map(({ key, name }) => ({
      key,
      // The type has no other fields.
      what: name as PageInfo,
    }))
    return { key: selected.key, kind: 'pageInfo', fields }
  }

  private edges(table: Table, selected: Selected, place: Place, rows: RowPlan[]): EdgeField[] {
    const type = this.selections.typeOf(typeNames(table.typeName).edge)
    return this.below(type, selected, place.depth).map((one) => {
      if (one.name === 'cursor') return { key: one.key, kind: 'cursor' }
      return { key: one.key, kind: 'node', row: rows.push(this.row(table, one, place)) - 1 }
    })
  }

  /** Of a mutation that touches `times` rows at most. */
  response(table: Table, type: string, selected: Selected, { depth, times }: Place): ResponsePlan {
    const rows: RowPlan[] = []
    this.budget.spendRows(selected.node, times)
    const found = this.below(this.selections.typeOf(type), selected, depth + 1)
    const fields = found.map((one): ResponsePlan['fields'][number] => {
      if (one.name === 'affectedCount') return { key: one.key, kind: 'affectedCount' }
      const row = rows.push(this.row(table, one, { depth: depth + 1, times })) - 1
      return { key: one.key, kind: 'records', row }
    })
    return { fields, rows }
  }
}
