import { GraphQLError, type FieldNode } from 'graphql'
import { readCursor } from './cursor.ts'
import { pageSize } from './limits.ts'
import type { Table } from './model.ts'
import type { Order, Page } from './plan.ts'

/** More would only repeat columns. */
const maxOrders = 32

/** Which rows of a collection are asked for. @throws GraphQLError */
export function planPage(table: Table, args: Record<string, unknown>, node: FieldNode): Page {
  const refuse = (message: string) => new GraphQLError(message, { nodes: node })
  const number = (name: string) => {
    const value = args[name] ?? undefined
    // GraphQL has read it as an Int.
    if (value !== undefined && (value as number) < 0) throw refuse(`"${name}" cannot be negative`)
    return value as number | undefined
  }
  const [first, last, offset] = [number('first'), number('last'), number('offset') ?? 0]
  // GraphQL has read them as text.
  const [after, before] = [args['after'] ?? undefined, args['before'] ?? undefined] as (
    | string
    | undefined
  )[]
  if (first !== undefined && last !== undefined) {
    throw refuse('Only one of "first" and "last" can be given')
  }
  if (after !== undefined && before !== undefined) {
    throw refuse('Only one of "after" and "before" can be given')
  }
  if (first !== undefined && before !== undefined) {
    throw refuse('"first" goes with "after", not with "before"')
  }
  if (last !== undefined && after !== undefined) {
    throw refuse('"last" goes with "before", not with "after"')
  }
  const size = first ?? last ?? pageSize.unasked
  if (size > pageSize.max) {
    throw refuse(`A page has at most ${pageSize.max} rows; "first" or "last" asks for more`)
  }
  const order = orderOf(table, args['orderBy'], refuse)
  const place = after ?? before
  const cursor = place === undefined ? undefined : readCursor(order, place)
  if (place !== undefined && !cursor) {
    throw refuse('The cursor does not belong to a collection in this order')
  }
  return { size, backward: last !== undefined || before !== undefined, offset, cursor, order }
}

/** What is asked for, and the primary key behind it. */
function orderOf(table: Table, asked: unknown, refuse: (message: string) => Error): Order[] {
  const order: Order[] = []
  const add = (more: Order) => {
    if (!order.some(({ column }) => column === more.column)) order.push(more)
  }
  // GraphQL has read it as a list of objects of directions.
  const list = (asked ?? []) as Record<string, string | null>[]
  if (list.length > maxOrders) throw refuse(`"orderBy" has at most ${maxOrders} parts`)
  for (const part of list) {
    const [pair, second] = Object.entries(part)
    // The fields of an object have no order that could be kept.
    if (!pair || second) throw refuse('Each part of "orderBy" names one column')
    const [field, direction] = pair
    const column = table.columns.find((one) => one.field === field)
    if (!column || direction === null) throw refuse(`"orderBy" needs a direction for "${field}"`)
    add({ column, direction })
  }
  for (const column of table.primaryKey) add({ column, direction: 'asc nulls last' })
  return order
}
