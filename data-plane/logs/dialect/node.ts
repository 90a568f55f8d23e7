/** A node of the tree that the engine's parser gives (`json_serialize_sql`). What it has beside these differs by class. */
export type Node = { class?: string; type: string; alias?: string; [part: string]: unknown }

/** A question that cannot be asked; the message is for whoever has written it. */
export class QueryRefusal extends Error {}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : []

/** The texts of a list, such as the parts of a column's name. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

export const call = (name: string, ...children: Node[]): Node => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: '',
  function_name: name,
  schema: '',
  children,
  filter: null,
  order_bys: { type: 'ORDER_MODIFIER', orders: [] },
  distinct: false,
  is_operator: false,
  export_state: false,
  catalog: '',
})

export const text = (value: string): Node => constant('VARCHAR', value)
export const integer = (value: number): Node => constant('INTEGER', value)
export const nothing: Node = {
  class: 'CONSTANT',
  type: 'VALUE_CONSTANT',
  value: { type: { id: 'NULL' }, is_null: true },
}
const constant = (id: string, value: string | number): Node => ({
  class: 'CONSTANT',
  type: 'VALUE_CONSTANT',
  alias: '',
  value: { type: { id }, is_null: false, value },
})

export const column = (...names: string[]): Node => ({
  class: 'COLUMN_REF',
  type: 'COLUMN_REF',
  alias: '',
  column_names: names,
})

export const cast = (child: Node, id: string, tries = false): Node => ({
  class: 'CAST',
  type: 'OPERATOR_CAST',
  alias: '',
  child,
  cast_type: { id },
  try_cast: tries,
})

export const when = (condition: Node, then: Node, otherwise: Node): Node => ({
  class: 'CASE',
  type: 'CASE_EXPR',
  alias: '',
  case_checks: [{ when_expr: condition, then_expr: then }],
  else_expr: otherwise,
})

/** The value of a constant; undefined for every other node. */
export function constantOf(node: Node | undefined): string | number | boolean | undefined {
  if (node?.class !== 'CONSTANT') return undefined
  const { value } = node['value'] as { value?: unknown }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined
}

/** The one name of a column that stands alone; undefined for every other node. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.class !== 'COLUMN_REF') return undefined
  const names = textsOf(node['column_names'])
  return names.length === 1 ? names[0] : undefined
}
