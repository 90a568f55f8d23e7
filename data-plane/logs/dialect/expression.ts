import { functionNames, functionNode, isDistinct, takesUnit } from './functions.ts'
import { call, cast, isNode, nameOf, nodesOf, QueryRefusal, textsOf, type Node } from './node.ts'
import { nearest, resolved, unknownName, type Scope } from './scope.ts'

/** What an expression may name besides the relations, and what a query within it is made of. */
export type Within = {
  scope: Scope
  /** Names of what the query selects, where they count: in ORDER BY. */
  outputs: ReadonlyMap<string, Node>
  /** Translates a query that stands within. */
  query: (node: unknown, around: Scope) => Node
}

const castTypes = new Set(
  `VARCHAR TINYINT SMALLINT INTEGER BIGINT HUGEINT FLOAT DOUBLE DECIMAL BOOLEAN TIMESTAMP DATE TIME
   TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL UTINYINT USMALLINT UINTEGER UBIGINT`.split(/\s+/),
)
const operators = new Set(
  `OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL COMPARE_IN COMPARE_NOT_IN OPERATOR_COALESCE ARRAY_EXTRACT
   OPERATOR_NULLIF`.split(/\s+/),
)
const subqueries = new Set(['SCALAR', 'EXISTS', 'NOT_EXISTS', 'ANY'])

/** Longest text that may stand in a query. */
const longestText = 4000

/**
 * Translates an expression. Only what is named here is let through, part by part: of a node nothing is kept that was not
 * looked at. @throws QueryRefusal
 */
export function expression(value: unknown, within: Within): Node {
  if (!isNode(value)) throw refusal('This part of the query cannot be read')
  const each = (part: unknown) => expression(part, within)
  const maybe = (part: unknown) => (isNode(part) ? each(part) : null)
  const { class: kind = '', type } = value
  const alias = typeof value.alias === 'string' ? value.alias : ''
  switch (kind) {
    case 'COLUMN_REF':
      return { ...columnNode(textsOf(value['column_names']), within), alias }
    case 'CONSTANT':
      return constantNode(value, alias)
    case 'COMPARISON':
      return { class: kind, type, alias, left: each(value['left']), right: each(value['right']) }
    case 'CONJUNCTION':
      return { class: kind, type, alias, children: nodesOf(value['children']).map(each) }
    case 'BETWEEN':
      return {
        class: kind,
        type,
        alias,
        input: each(value['input']),
        lower: each(value['lower']),
        upper: each(value['upper']),
      }
    case 'OPERATOR':
      if (!operators.has(type)) throw refusal(`The operator ${type} cannot be used in logs`)
      return operatorNode(value, alias, within)
    case 'CASE':
      return {
        class: kind,
        type,
        alias,
        case_checks: caseChecks(value['case_checks']).map((check) => ({
          when_expr: each(check.when_expr),
          then_expr: each(check.then_expr),
        })),
        else_expr: each(value['else_expr']),
      }
    case 'CAST': {
      const { id } = (value['cast_type'] ?? {}) as { id?: unknown }
      if (typeof id !== 'string' || !castTypes.has(id))
        throw refusal(`Values cannot be cast to ${String(id)} here`)
      return {
        ...cast(each(value['child']), id === 'DECIMAL' ? 'DOUBLE' : id, value['try_cast'] === true),
        alias,
      }
    }
    case 'FUNCTION':
      return { ...functionCall(value, within), alias }
    case 'WINDOW':
      return windowNode(value, alias, within)
    case 'SUBQUERY': {
      const subtype = String(value['subquery_type'])
      if (!subqueries.has(subtype)) throw refusal('This kind of subquery cannot be used in logs')
      return {
        class: kind,
        type,
        alias,
        subquery_type: subtype,
        subquery: {
          node: within.query(nodeIn(value['subquery']), within.scope),
          named_param_map: [],
        },
        child: maybe(value['child']),
        comparison_type: String(value['comparison_type']),
      }
    }
    default:
      throw refusal(`${kind === 'STAR' ? '*' : kind} cannot be used here`)
  }
}

export const refusal = (message: string) => new QueryRefusal(message)

/** The query within a node that holds one. */
export const nodeIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'node' in value ? value.node : undefined

function columnNode(names: readonly string[], { scope, outputs }: Within): Node {
  const [name = ''] = names
  // In ORDER BY, what is selected under a name comes before a field of that name.
  if (names.length === 1 && outputs.has(name.toLowerCase())) {
    return { class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: [name] }
  }
  const found = resolved(names, scope)
  if (found) return found
  // What another query selects is known to the engine.
  const ofQueries = scope.relations.some(({ kind }) => kind === 'query')
  if (ofQueries && names.length === 1)
    return { class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: [name] }
  return unknownName(names, scope)
}

function constantNode(node: Node, alias: string): Node {
  const {
    type,
    is_null: isNull,
    value,
  } = (node['value'] ?? {}) as {
    type?: { id?: unknown; type_info?: unknown }
    is_null?: unknown
    value?: unknown
  }
  if (typeof value === 'string' && value.length > longestText) throw refusal('A text is too long')
  if (typeof value === 'object' && value !== null && type?.id !== 'HUGEINT')
    throw refusal('A constant of this kind cannot be used in logs')
  const kept = { id: type?.id, ...(type?.type_info ? { type_info: type.type_info } : {}) }
  return {
    class: 'CONSTANT',
    type: 'VALUE_CONSTANT',
    alias,
    value: { type: kept, is_null: isNull === true, ...(isNull !== true && { value }) },
  }
}

/** `log_attributes['request.method']` is how the newer dialect names a field. */
function operatorNode(node: Node, alias: string, within: Within): Node {
  const { type } = node
  const children = nodesOf(node['children'])
  const [of, key] = children
  if (type === 'ARRAY_EXTRACT' && nameOf(of)?.toLowerCase() === 'log_attributes') {
    const { value } = (key?.['value'] ?? {}) as { value?: unknown }
    if (typeof value !== 'string')
      throw refusal("log_attributes takes a text: log_attributes['path']")
    return { ...columnNode(attributeNames(value, within.scope), within), alias }
  }
  return {
    class: 'OPERATOR',
    type,
    alias,
    children: children.map((each) => expression(each, within)),
  }
}

/** With `metadata.` in front or without. */
function attributeNames(path: string, scope: Scope): string[] {
  const whole = path.startsWith('metadata.') ? path : `metadata.${path}`
  return resolved(whole.split('.'), scope) ? whole.split('.') : path.split('.')
}

type Check = { when_expr: unknown; then_expr: unknown }
const caseChecks = (value: unknown): Check[] =>
  Array.isArray(value)
    ? value.filter(
        (each): each is Check =>
          typeof each === 'object' && each !== null && 'when_expr' in each && 'then_expr' in each,
      )
    : []

function functionCall(node: Node, within: Within): Node {
  const name = String(node['function_name'])
  const args = nodesOf(node['children'])
  const translated = args.map((each) =>
    takesUnit(name) && nameOf(each) !== undefined && !resolved([nameOf(each) ?? ''], within.scope)
      ? each
      : expression(each, within),
  )
  const made = functionNode(name, translated, (unknown) => {
    throw refusal(`Unknown function "${unknown}"${nearest(unknown.toLowerCase(), functionNames)}`)
  })
  const filter = isNode(node['filter']) ? expression(node['filter'], within) : null
  if (made['function_name'] === undefined) {
    if (filter) throw refusal(`FILTER cannot be used with ${name}`)
    return made
  }
  return {
    ...made,
    filter,
    distinct: node['distinct'] === true || isDistinct(name),
    order_bys: { type: 'ORDER_MODIFIER', orders: ordersOf(node['order_bys'], within) },
  }
}

/** The items of an ORDER BY. */
export function ordersOf(modifier: unknown, within: Within): object[] {
  const { orders } = (modifier ?? {}) as { orders?: unknown }
  if (!Array.isArray(orders)) return []
  return orders.map((order: Record<string, unknown>) => ({
    type: String(order['type']),
    null_order: String(order['null_order']),
    expression: expression(order['expression'], within),
  }))
}

const windowParts = [
  'start_expr',
  'end_expr',
  'offset_expr',
  'default_expr',
  'filter_expr',
] as const

function windowNode(node: Node, alias: string, within: Within): Node {
  const name = String(node['function_name']).toLowerCase()
  const inner = functionNode(
    name,
    nodesOf(node['children']).map((each) => expression(each, within)),
    (unknown) => {
      throw refusal(`Unknown function "${unknown}"${nearest(unknown, functionNames)}`)
    },
  )
  if (inner['function_name'] === undefined) throw refusal(`${name} cannot be used with OVER`)
  const within_ = Object.fromEntries(
    windowParts.map((part) => [part, isNode(node[part]) ? expression(node[part], within) : null]),
  )
  return {
    class: 'WINDOW',
    type: node.type,
    alias,
    function_name: inner['function_name'],
    schema: '',
    catalog: '',
    children: inner['children'],
    partitions: nodesOf(node['partitions']).map((each) => expression(each, within)),
    orders: ordersOf({ orders: node['orders'] }, within),
    start: String(node['start']),
    end: String(node['end']),
    ...within_,
    exclude_clause: 'NO_OTHER',
    distinct: node['distinct'] === true || isDistinct(name),
    ignore_nulls: node['ignore_nulls'] === true,
    arg_orders: [],
  }
}

/** A time as ISO text, as the older dialect answers `cast(timestamp as datetime)`. */
export const isoText = (node: Node): Node => ({
  ...call('strftime', node, {
    class: 'CONSTANT',
    type: 'VALUE_CONSTANT',
    alias: '',
    value: { type: { id: 'VARCHAR' }, is_null: false, value: '%Y-%m-%dT%H:%M:%S.%f' },
  }),
  alias: node.alias ?? '',
})
