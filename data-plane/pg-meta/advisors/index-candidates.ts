/** A table as the statement names it; `alias` is what its columns are called by. */
export type TableUse = { schema: string | undefined; name: string; alias: string }

/** A column that a condition or an order is about; without `alias` it may be of any table of its scope. */
export type ColumnUse = {
  alias: string | undefined
  column: string
  how: 'equal' | 'range' | 'sort'
}

/** One SELECT, UPDATE or DELETE (or a part of one): its tables, and how their columns are used. */
export type QueryScope = { tables: TableUse[]; columns: ColumnUse[] }

type Node = Record<string, unknown>

const asNode = (value: unknown): Node | undefined =>
  // A parse tree is JSON.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : undefined
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const inside = (value: unknown, kind: string) => asNode(asNode(value)?.[kind])
const textOf = (value: unknown) => {
  const text = inside(value, 'String')?.['sval']
  return typeof text === 'string' ? text : undefined
}

/** Every scope of a parse tree, subqueries and common table expressions included. */
export function scopesOf(tree: unknown): QueryScope[] {
  const scopes: QueryScope[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    const node = asNode(value)
    if (!node) return undefined
    for (const kind of ['SelectStmt', 'UpdateStmt', 'DeleteStmt']) {
      const statement = inside(node, kind)
      if (statement) scopes.push(scopeOf(statement))
    }
    // The halves of a UNION stand in it without their kind.
    for (const side of ['larg', 'rarg'])
      if (asNode(node[side])?.['fromClause']) scopes.push(scopeOf(asNode(node[side]) ?? {}))
    return Object.values(node).forEach(visit)
  }
  visit(tree)
  return scopes.filter(({ tables, columns }) => tables.length > 0 && columns.length > 0)
}

function scopeOf(statement: Node): QueryScope {
  const scope: QueryScope = { tables: [], columns: [] }
  const target = asNode(statement['relation'])
  if (target) addTable(target, scope)
  for (const item of [...asList(statement['fromClause']), ...asList(statement['usingClause'])])
    addSource(item, scope)
  addCondition(statement['whereClause'], scope)
  for (const item of asList(statement['sortClause']))
    addColumn(inside(item, 'SortBy')?.['node'], 'sort', scope)
  return scope
}

function addTable(range: Node, scope: QueryScope): void {
  const { relname, schemaname, alias } = range
  if (typeof relname !== 'string') return
  const called = asNode(alias)?.['aliasname']
  scope.tables.push({
    schema: typeof schemaname === 'string' ? schemaname : undefined,
    name: relname,
    alias: typeof called === 'string' ? called : relname,
  })
}

function addSource(item: unknown, scope: QueryScope): void {
  const range = inside(item, 'RangeVar')
  if (range) return addTable(range, scope)
  const join = inside(item, 'JoinExpr')
  if (!join) return undefined
  addSource(join['larg'], scope)
  addSource(join['rarg'], scope)
  for (const column of asList(join['usingClause'])) {
    const name = textOf(column)
    if (name) scope.columns.push({ alias: undefined, column: name, how: 'equal' })
  }
  return addCondition(join['quals'], scope)
}

const comparisons = new Set(['<', '<=', '>', '>='])
const rangeKinds = new Set(['AEXPR_BETWEEN', 'AEXPR_BETWEEN_SYM'])

function addCondition(value: unknown, scope: QueryScope): void {
  const both = inside(value, 'BoolExpr')
  // Alternatives count too: each may get an index of its own.
  if (both && both['boolop'] !== 'NOT_EXPR') {
    for (const part of asList(both['args'])) addCondition(part, scope)
    return
  }
  const test = inside(value, 'A_Expr')
  if (!test) return
  const operator = textOf(asList(test['name']).at(-1))
  const kind = String(test['kind'])
  const isEqual = operator === '=' && ['AEXPR_OP', 'AEXPR_IN', 'AEXPR_OP_ANY'].includes(kind)
  const isRange = rangeKinds.has(kind) || (kind === 'AEXPR_OP' && comparisons.has(operator ?? ''))
  if (!isEqual && !isRange) return
  const how = isEqual ? 'equal' : 'range'
  addColumn(test['lexpr'], how, scope)
  if (kind === 'AEXPR_OP') addColumn(test['rexpr'], how, scope)
}

function addColumn(value: unknown, how: ColumnUse['how'], scope: QueryScope): void {
  const names = asList(inside(value, 'ColumnRef')?.['fields']).map(textOf)
  const column = names.at(-1)
  if (column === undefined) return
  scope.columns.push({ alias: names.at(-2), column, how })
}

export type KnownTable = { alias: string; columns: ReadonlySet<string> }

const widest = 3

/** Lists of columns worth an index, for one table of a scope: together in the order that helps most, and each alone. */
export function candidatesFor(table: KnownTable, { columns }: QueryScope): string[][] {
  const here = (how: ColumnUse['how']) => [
    ...new Set(
      columns
        .filter(
          (use) =>
            use.how === how &&
            (use.alias === undefined || use.alias === table.alias) &&
            table.columns.has(use.column),
        )
        .map(({ column }) => column),
    ),
  ]
  const [equal, range, sort] = [here('equal'), here('range'), here('sort')]
  const then = (...rest: string[]) => [...new Set([...equal, ...rest])].slice(0, widest)
  const lists = [
    then(),
    ...range.slice(0, 2).map((column) => then(column)),
    then(...sort),
    ...[...equal, ...range].map((column) => [column]),
  ].filter((list) => list.length > 0)
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()]
}
