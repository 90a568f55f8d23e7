import { GraphQLError } from 'graphql'
import { readNodeId } from '../cursor.ts'
import { maxNested } from '../limits.ts'
import type { Column, Table } from '../model.ts'
import type { Filter } from '../plan.ts'
import type { Operator } from '../schema/scalars.ts'
import { columnSql, textOf, type Writing } from './sql-parts.ts'

const operators: Record<Exclude<Operator, 'in' | 'is'>, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  startsWith: '^@',
  regex: '~',
  iregex: '~*',
  contains: '@>',
  containedBy: '<@',
  overlaps: '&&',
}
const isOperator = (name: string): name is keyof typeof operators => Object.hasOwn(operators, name)

/**
 * The condition of a filter on the rows of `alias`: everything in it has to hold. What is null is refused and not left
 * out, because a mutation with a filter that says less than was meant touches rows that nobody meant.
 * @throws GraphQLError
 */
export function filterSql(
  table: Table,
  alias: string,
  filter: Filter,
  writing: Writing,
  depth = 0,
): string {
  if (depth > maxNested) throw new GraphQLError('The filter is nested too deeply')
  const inner = (one: Filter) => filterSql(table, alias, one, writing, depth + 1)
  const parts = Object.entries(filter).map(([field, condition]) => {
    if (condition === null) throw new GraphQLError(`The filter of "${field}" cannot be null`)
    switch (field) {
      // GraphQL has read lists of filters, filters and objects of operators.
      case 'and':
        return joined((condition as Filter[]).map(inner), 'and', 'true')
      case 'or':
        return joined((condition as Filter[]).map(inner), 'or', 'false')
      case 'not':
        // Also where the inner condition is neither true nor false: a null is not what it asks for.
        return `${inner(condition as Filter)} is not true`
      case 'nodeId':
        return nodeIdSql(table, alias, condition as Filter, writing)
      default: {
        const column = table.columns.find((one) => one.field === field)
        if (!column) throw new GraphQLError(`There is no column for "${field}"`)
        return columnFilterSql(column, alias, condition as Filter, writing)
      }
    }
  })
  return joined(parts, 'and', 'true')
}

const joined = (parts: readonly string[], word: 'and' | 'or', none: string) =>
  `(${parts.length === 0 ? none : parts.join(` ${word} `)})`

function columnFilterSql(column: Column, alias: string, filter: Filter, writing: Writing): string {
  const left = columnSql(alias, column)
  const parts = Object.entries(filter).map(([operator, value]) => {
    if (value === null) {
      throw new GraphQLError(
        `"${operator}" of "${column.field}" cannot be null; "is" asks for that`,
      )
    }
    // The type of the operand has no other values.
    if (operator === 'is') return `${left} is ${value === 'null' ? 'null' : 'not null'}`
    if (operator === 'in') {
      // GraphQL has read a list.
      const members = (value as unknown[]).map((one) => writing.bind(textOf(one)))
      return members.length === 0 ? 'false' : `${left} in (${members.join(', ')})`
    }
    if (!isOperator(operator)) throw new GraphQLError(`There is no filter "${operator}"`)
    return `${left} ${operators[operator]} ${writing.bind(textOf(value))}`
  })
  return joined(parts, 'and', 'true')
}

/** The id of a row of another table is that of none here. */
function nodeIdSql(table: Table, alias: string, { eq }: Filter, writing: Writing): string {
  if (eq === null) throw new GraphQLError('"eq" of "nodeId" cannot be null')
  if (eq === undefined) return 'true'
  // GraphQL has read it as an ID, which is text.
  const id = readNodeId(eq as string)
  if (!id) throw new GraphQLError('This is no node id')
  const isHere = id.schema === table.schema && id.name === table.name
  return isHere ? keySql(table, alias, id.key, writing) : 'false'
}

/** The one row of a primary key. */
export function keySql(
  { primaryKey }: Table,
  alias: string,
  key: readonly string[],
  writing: Writing,
): string {
  if (key.length !== primaryKey.length) return 'false'
  const pairs = primaryKey.map(
    (column, i) => `${columnSql(alias, column)} = ${writing.bind(key[i] ?? null)}`,
  )
  return joined(pairs, 'and', 'false')
}
