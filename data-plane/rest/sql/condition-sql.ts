import { arrayLiteral } from '../query/array-literal.ts'
import type { CatalogColumn } from '../catalog/catalog.ts'
import { Problem } from '../answers/problem.ts'
import type { Comparison, Field, Filter, IsValue, Logic, Search } from '../query/query.ts'
import { comparedMembersSql, comparedSql } from '../plan/representation.ts'
import { fieldSql, type Scope, type Values } from './sql-parts.ts'

const operators: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}
const queryFunctions: Record<Search, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}
const isSql: Record<IsValue, string> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
}

export function whereSql(scope: Scope, conditions: readonly Logic[], values: Values): string {
  const list = conditions.map((condition) => conditionSql(scope, condition, values))
  return list.length === 0 ? '' : ` where ${list.join(' and ')}`
}

function conditionSql(scope: Scope, condition: Logic, values: Values): string {
  if (condition.kind === 'filter') return filterSql(scope, condition, values)
  const inner = condition.of.map((one) => conditionSql(scope, one, values))
  const sql = `(${inner.join(` ${condition.kind} `)})`
  return condition.not ? `not ${sql}` : sql
}

function filterSql(scope: Scope, filter: Filter, values: Values): string {
  const sql = operationSql(scope, filter, values)
  return filter.not ? `not (${sql})` : sql
}

function operationSql(scope: Scope, { field, operation }: Filter, values: Values): string {
  const presence = field.json.length === 0 ? scope.embeds?.get(field.name) : undefined
  if (presence !== undefined) {
    if (operation.kind === 'is' && (operation.value === 'null' || operation.value === 'not_null')) {
      return `${presence} ${isSql[operation.value]}`
    }
    if (!scope.columns?.has(field.name)) throw onlyPresence(field.name)
  }
  const left = fieldSql(scope, field, values)
  switch (operation.kind) {
    case 'compare': {
      const { operator, quantifier } = operation
      const isPattern = operator === 'like' || operator === 'ilike'
      const isText = isPattern || operator === 'match' || operator === 'imatch'
      const value = values.bind(isPattern ? operation.value.replaceAll('*', '%') : operation.value)
      const column = isText ? undefined : columnOf(scope, field)
      const right = quantifier
        ? `${quantifier} (${comparedMembersSql(column, value) ?? value})`
        : comparedSql(column, value)
      return `${left} ${operators[operator]} ${right}`
    }
    case 'in':
      return inSql(columnOf(scope, field), left, operation.values, values)
    case 'is':
      return `${left} ${isSql[operation.value]}`
    case 'distinct':
      return `${left} is distinct from ${comparedSql(columnOf(scope, field), values.bind(operation.value))}`
    case 'search': {
      const language =
        operation.language === undefined ? '' : `${values.bind(operation.language)}::regconfig, `
      const query = `${queryFunctions[operation.operator]}(${language}${values.bind(operation.value)})`
      const base = scope.columns?.get(field.name)?.base
      const isVector = field.json.length === 0 && (base === undefined || base === 'tsvector')
      return `${isVector ? left : `to_tsvector(${language}${left})`} @@ ${query}`
    }
    default:
      return operation satisfies never
  }
}

/** The column itself is compared, and not a place inside it. */
const columnOf = ({ columns }: Scope, { name, json }: Field) =>
  json.length === 0 ? columns?.get(name) : undefined

const onlyPresence = (name: string) =>
  new Problem(400, 'PGRST120', `Bad operator on the '${name}' embedded resource`, {
    details: 'Only is null or not is null filters are allowed on embedded resources',
  })

/** One array parameter for any number of values, so the statement stays the same and the wire's limit is never met. */
function inSql(
  column: CatalogColumn | undefined,
  left: string,
  list: readonly string[],
  values: Values,
): string {
  // An empty list matches nothing for columns of every type; an empty array would need the column's type.
  if (list.length === 0) return `(${left} is null and false)`
  if (column?.array) {
    return `${left} in (${list.map((value) => comparedSql(column, values.bind(value))).join(', ')})`
  }
  const members = values.bind(arrayLiteral(list))
  return `${left} = any (${comparedMembersSql(column, members) ?? members})`
}
