import type { Order, Page } from '../plan.ts'
import { columnSql, type Writing } from './sql-parts.ts'

const opposite: Readonly<Record<string, string>> = {
  'asc nulls first': 'desc nulls last',
  'asc nulls last': 'desc nulls first',
  'desc nulls first': 'asc nulls last',
  'desc nulls last': 'asc nulls first',
}

/** The directions in which rows are taken: the last ones of a collection come first when it is turned round. */
export const takenOrder = ({ order, backward }: Page): Order[] =>
  backward
    ? order.map(({ column, direction }) => ({
        column,
        direction: opposite[direction] ?? direction,
      }))
    : [...order]

/** What stands behind ORDER BY; `nameOf` gives the column's name in the rows. */
export const orderSql = (
  order: readonly Order[],
  nameOf: (column: Order['column']) => string,
): string => order.map(({ column, direction }) => `${nameOf(column)} ${direction}`).join(', ')

/**
 * Whether a row stands behind the cursor, in the order in which rows are taken: the first column that differs decides.
 * Nulls have their place too.
 */
export function behindSql(
  order: readonly Order[],
  cursor: readonly (string | null)[],
  alias: string,
  writing: Writing,
): string {
  // Written where it is used: a value that a statement names nowhere has no type.
  const same: (() => string)[] = []
  const ways: string[] = []
  for (const [i, { column, direction }] of order.entries()) {
    const name = columnSql(alias, column)
    const value = cursor[i] ?? null
    const further = furtherSql(name, direction, value, column.notNull, writing)
    if (further !== undefined) ways.push([...same.map((one) => one()), further].join(' and '))
    same.push(() => (value === null ? `${name} is null` : `${name} = ${writing.bind(value)}`))
  }
  return ways.length === 0 ? 'false' : `(${ways.map((way) => `(${way})`).join(' or ')})`
}

/** Undefined: no value stands behind this one. */
function furtherSql(
  name: string,
  direction: string,
  value: string | null,
  notNull: boolean,
  writing: Writing,
): string | undefined {
  const nullsFirst = direction.endsWith('first')
  if (value === null) return nullsFirst ? `${name} is not null` : undefined
  const further = `${name} ${direction.startsWith('asc') ? '>' : '<'} ${writing.bind(value)}`
  return nullsFirst || notNull ? further : `(${further} or ${name} is null)`
}
