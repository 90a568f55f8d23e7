import { logSources, type LogSource } from '#contract/observability/log-sources'
import { expression, isoText, nodeIn, ordersOf, refusal, type Within } from './expression.ts'
import { column, isNode, nameOf, nodesOf, textsOf, type Node } from './node.ts'
import { nearest, resolved, type Relation, type Scope } from './scope.ts'
import type { Dialect } from './tokens.ts'

/** Nodes of a query, and how deep they may stand in each other. */
const maxNodes = 2000
const maxDepth = 100

export type Translated = {
  /** As `json_deserialize_sql` takes it. */
  tree: object
  /** Whose entries are asked for. */
  sources: ReadonlySet<LogSource>
}

type State = {
  dialect: Dialect
  sources: Set<LogSource>
  /** Names that WITH has given, innermost last. */
  named: ReadonlySet<string>
}

/**
 * Translates what the engine's parser has made of a question in a public dialect. The result names nothing but views of the
 * sources, fields of theirs, and functions of a list. @throws QueryRefusal
 */
export function translated(parsed: unknown, dialect: Dialect): Translated {
  const {
    error,
    error_message: message,
    statements,
  } = parsed as {
    error?: unknown
    error_message?: unknown
    statements?: unknown
  }
  if (error === true) throw refusal(wordsOf(String(message)))
  if (!Array.isArray(statements) || statements.length !== 1)
    throw refusal('A query of logs is one SELECT')
  checkSize(statements)
  const state: State = { dialect, sources: new Set(), named: new Set() }
  const node = queryNode(nodeIn(statements[0]), state, undefined, true)
  return {
    tree: { error: false, statements: [{ node, named_param_map: [] }] },
    sources: state.sources,
  }
}

const wordsOf = (message: string) =>
  message.startsWith('Only SELECT') ? 'Only SELECT can be used in a query of logs' : message

function checkSize(value: unknown): void {
  let nodes = 0
  const look = (each: unknown, depth: number): void => {
    if (typeof each !== 'object' || each === null) return
    if (depth > maxDepth) throw refusal('The query is nested too deeply')
    const deeper = isNode(each) ? depth + 1 : depth
    if (deeper > depth && ++nodes > maxNodes) throw refusal('The query has too many parts')
    for (const part of Object.values(each)) look(part, deeper)
  }
  look(value, 0)
}

function queryNode(value: unknown, outer: State, around: Scope | undefined, isTop = false): Node {
  if (!isNode(value)) throw refusal('This part of the query cannot be read')
  const { state, map } = withNames(value['cte_map'], outer, around)
  if (value.type === 'SET_OPERATION_NODE') {
    const within = {
      scope: { relations: [{ kind: 'query' as const, alias: '' }], around },
      outputs: new Map<string, Node>(),
      query: (node: unknown, scope: Scope) => queryNode(node, state, scope),
    }
    // Since some version sets have a list of parts beside the two.
    const sides = nodesOf(value['children'])
    const [left, right] = sides.length === 2 ? sides : [value['left'], value['right']]
    return {
      type: value.type,
      modifiers: modifiersOf(value['modifiers'], within),
      cte_map: map,
      setop_type: String(value['setop_type']),
      left: queryNode(left, state, around, isTop),
      right: queryNode(right, state, around, isTop),
      setop_all: value['setop_all'] === true,
    }
  }
  if (value.type !== 'SELECT_NODE') throw refusal('Only SELECT can be used in a query of logs')
  return selectNode(value, state, around, map, isTop)
}

/** What WITH names. */
function withNames(value: unknown, outer: State, around: Scope | undefined) {
  const { map } = (value ?? {}) as { map?: unknown }
  const state: State = { ...outer, named: new Set(outer.named) }
  const entries = Array.isArray(map) ? map : []
  const kept = entries.map(
    (entry: { key?: unknown; value?: { query?: unknown; aliases?: unknown } }) => {
      const key = String(entry.key)
      const node = queryNode(nodeIn(entry.value?.query), state, around)
      state.named = new Set([...state.named, key.toLowerCase()])
      return {
        key,
        value: {
          aliases: textsOf(entry.value?.aliases),
          query: { node, named_param_map: [] },
          materialized: 'CTE_MATERIALIZE_DEFAULT',
          key_targets: [],
        },
      }
    },
  )
  return { state, map: { map: kept } }
}

function selectNode(
  node: Node,
  state: State,
  around: Scope | undefined,
  cteMap: object,
  isTop: boolean,
): Node {
  if (isNode(node['sample']) || (node['sample'] !== null && node['sample'] !== undefined))
    throw refusal('Samples cannot be taken of logs')
  const relations: Relation[] = []
  const scope: Scope = { relations, around }
  const query = (inner: unknown, outer: Scope) => queryNode(inner, state, outer)
  const within: Within = { scope, outputs: new Map(), query }
  const from = tableNode(node['from_table'], relations, state, within) ?? emptyTable
  const items = nodesOf(node['select_list']).flatMap((item) => selected(item, within, state, isTop))
  const outputs = new Map(
    items.flatMap((item) => (item.alias ? [[item.alias.toLowerCase(), item]] : [])),
  )
  const maybe = (part: unknown, inside: Within = within) =>
    isNode(part) ? expression(part, inside) : null
  return {
    type: 'SELECT_NODE',
    modifiers: modifiersOf(node['modifiers'], { ...within, outputs }),
    cte_map: cteMap,
    select_list: items,
    from_table: from,
    where_clause: maybe(node['where_clause']),
    group_expressions: nodesOf(node['group_expressions']).map((each) =>
      groupNode(each, within, outputs),
    ),
    group_sets: Array.isArray(node['group_sets']) ? node['group_sets'] : [],
    aggregate_handling: String(node['aggregate_handling']),
    having: isNode(node['having']) ? havingNode(node['having'], within, outputs) : null,
    sample: null,
    qualify: maybe(node['qualify'], { ...within, outputs }),
  }
}

const emptyTable: Node = { type: 'EMPTY', alias: '', sample: null }

/** A selected value, under the name that the public dialects give it: the last part of a field's. */
function selected(item: Node, within: Within, state: State, isTop: boolean): Node[] {
  if (item.class === 'STAR') return starOf(item, within, state)
  const names = item.class === 'COLUMN_REF' ? textsOf(item['column_names']) : []
  const value = expression(item, within)
  const alias = item.alias || names.at(-1) || ''
  const isTime = item.class === 'CAST' && isTimestamp(item)
  const named = { ...value, alias }
  return [isTop && isTime && state.dialect === 'analytics' ? isoText(named) : named]
}

const isTimestamp = (node: Node) => {
  const { id } = (node['cast_type'] ?? {}) as { id?: unknown }
  return typeof id === 'string' && id.startsWith('TIMESTAMP')
}

/** What an entry has in the public dialects. */
function starOf(item: Node, { scope }: Within, state: State): Node[] {
  const { relation_name: relation = '' } = item
  const lists = ['exclude_list', 'replace_list', 'rename_list', 'qualified_exclude_list']
  const isPlain =
    lists.every((name) => isEmpty(item[name])) && !isNode(item['expr']) && item['columns'] !== true
  if (!isPlain) throw refusal('* can only be used as it is')
  const of = scope.relations.filter(({ alias }) => relation === '' || alias === relation)
  return of.flatMap((each) => {
    if (each.kind === 'query')
      return [
        {
          class: 'STAR',
          type: 'STAR',
          alias: '',
          relation_name: each.alias,
          exclude_list: [],
          replace_list: [],
          columns: false,
          expr: null,
          qualified_exclude_list: [],
          rename_list: [],
        },
      ]
    if (each.kind === 'part') return []
    const names =
      state.dialect === 'analytics'
        ? ['id', 'timestamp', 'event_message', 'metadata']
        : ['id', 'timestamp', 'source', 'level', 'event_message', 'request_id']
    return names.flatMap((name) => {
      const value = resolved([each.alias, name], scope) ?? column(each.alias, name)
      return [{ ...value, alias: name }]
    })
  })
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** A name in GROUP BY is what is selected under it, before it is a field: without this every histogram would be wrong. */
function groupNode(node: Node, within: Within, outputs: ReadonlyMap<string, Node>): Node {
  const output = outputs.get(nameOf(node)?.toLowerCase() ?? '')
  return output ? { ...output, alias: '' } : expression(node, within)
}

/** HAVING may name what is selected; a field comes before what is selected under its name. */
function havingNode(node: Node, within: Within, outputs: ReadonlyMap<string, Node>): Node {
  const selected = [...outputs].filter(([name]) => !resolved([name], within.scope))
  return expression(node, { ...within, outputs: new Map(selected) })
}

function modifiersOf(value: unknown, within: Within): object[] {
  return nodesOf(value).map((modifier) => {
    const { type } = modifier
    const count = (part: unknown) =>
      isNode(part)
        ? expression(part, {
            ...within,
            scope: { relations: [], around: undefined },
            outputs: new Map(),
          })
        : null
    if (type === 'ORDER_MODIFIER') return { type, orders: ordersOf(modifier, within) }
    if (type === 'LIMIT_MODIFIER')
      return { type, limit: count(modifier['limit']), offset: count(modifier['offset']) }
    if (type === 'DISTINCT_MODIFIER')
      return {
        type,
        distinct_on_targets: nodesOf(modifier['distinct_on_targets']).map((each) =>
          expression(each, within),
        ),
      }
    throw refusal('This part of the query cannot be used in logs')
  })
}

/** What FROM names. Undefined where a join leaves nothing of its own: fields of an entry are read from the entry. */
function tableNode(
  value: unknown,
  relations: Relation[],
  state: State,
  within: Within,
): Node | undefined {
  if (!isNode(value)) throw refusal('This part of the query cannot be read')
  const alias = value.alias ?? ''
  switch (value.type) {
    case 'EMPTY':
      return emptyTable
    case 'BASE_TABLE':
      return baseTable(value, relations, state)
    case 'SUBQUERY': {
      const node = within.query(nodeIn(value['subquery']), {
        relations: [],
        around: within.scope.around,
      })
      relations.push({ kind: 'query', alias })
      return {
        type: 'SUBQUERY',
        alias,
        sample: null,
        subquery: { node, named_param_map: [] },
        column_name_alias: textsOf(value['column_name_alias']),
      }
    }
    case 'TABLE_FUNCTION':
      unnested(value, relations)
      return undefined
    case 'JOIN':
      return joinNode(value, relations, state, within)
    default:
      throw refusal('This cannot stand in FROM in a query of logs')
  }
}

function baseTable(node: Node, relations: Relation[], { named, sources, dialect }: State): Node {
  if (!isEmpty(node['sample']) || !isEmpty(node['at_clause']))
    throw refusal('Sources can only be read as they are')
  const name = String(node['table_name'])
  const lower = name.toLowerCase()
  const alias = node.alias || name
  if (named.has(lower)) {
    relations.push({ kind: 'query', alias })
  } else {
    const source =
      lower === 'logs' && dialect === 'columns' ? lower : logSources.find((each) => each === lower)
    if (!source || !isEmpty(node['schema_name'] || null) || !isEmpty(node['catalog_name'] || null))
      throw refusal(`Unknown source "${name}"${nearest(lower, logSources)}`)
    for (const each of source === 'logs' ? logSources : [source]) sources.add(each)
    relations.push({ kind: 'source', alias, source })
  }
  return {
    type: 'BASE_TABLE',
    alias,
    sample: null,
    schema_name: '',
    table_name: named.has(lower) ? name : lower,
    column_name_alias: textsOf(node['column_name_alias']),
    catalog_name: '',
  }
}

/** `unnest(metadata) as m`, `unnest(m.request) as request`: from here on the alias stands for that part of an entry. */
function unnested(node: Node, relations: Relation[]): void {
  const inner = node['function']
  const [of, ...more] = isNode(inner) ? nodesOf(inner['children']) : []
  const name = isNode(inner) ? String(inner['function_name']).toLowerCase() : ''
  if (name !== 'unnest' || of?.class !== 'COLUMN_REF' || more.length > 0)
    throw refusal('Only unnest of a part of an entry can stand in FROM besides sources')
  const names = textsOf(of['column_names'])
  const [first = '', ...rest] = names
  const known = relations.find(({ alias }) => alias.toLowerCase() === first.toLowerCase())
  const base = known ?? relations.findLast(({ kind }) => kind === 'source')
  if (!base || base.kind === 'query')
    throw refusal(`There is no part "${names.join('.')}" to unnest`)
  const path = base.kind === 'part' ? [base.path, ...rest] : known ? rest : names
  relations.push({
    kind: 'part',
    alias: node.alias || (names.at(-1) ?? ''),
    of: base.kind === 'part' ? base.of : base.alias,
    source: base.source,
    path: path.join('.'),
  })
}

const joins = new Set(['INNER', 'LEFT', 'RIGHT', 'OUTER', 'SEMI', 'ANTI'])

function joinNode(
  node: Node,
  relations: Relation[],
  state: State,
  within: Within,
): Node | undefined {
  const left = tableNode(node['left'], relations, state, within)
  const right = tableNode(node['right'], relations, state, within)
  if (!left || !right) return left ?? right
  const joinType = String(node['join_type'])
  const refType = String(node['ref_type'])
  if (!joins.has(joinType) || !['REGULAR', 'CROSS'].includes(refType))
    throw refusal('This kind of join cannot be used in logs')
  return {
    type: 'JOIN',
    alias: '',
    sample: null,
    left,
    right,
    condition: isNode(node['condition']) ? expression(node['condition'], within) : null,
    join_type: joinType,
    ref_type: refType,
    using_columns: textsOf(node['using_columns']),
    delim_flipped: false,
    duplicate_eliminated_columns: [],
  }
}
