import type { Row, Statement } from '../../projects/transaction.ts'
import type { ReadNode } from '../plan/read-node.ts'
import type { Preferences } from '../query/prefer.ts'
import { unpagedSql } from './read-sql.ts'
import { Values } from './sql-parts.ts'

/** How the total of a read is found: beside the rows in one statement, or by statements of its own. */
export type Count = {
  /** Expression that goes into the statement of the rows. */
  total: string | undefined
  statements: readonly Statement[]
  /** The counted number is exact up to here. */
  exactUpTo: number
}

/**
 * `exact` counts all rows. `planned` asks the planner. `estimated` counts as far as the cap on rows goes and believes the
 * planner beyond it, so that it stays cheap for tables of any size.
 */
export function countSql(
  kind: Preferences['count'],
  node: ReadNode,
  values: Values,
  maxRows: number,
): Count {
  switch (kind) {
    case undefined:
      return { total: undefined, statements: [], exactUpTo: Infinity }
    case 'exact':
      return { total: exactTotal(unpagedSql(node, values)), statements: [], exactUpTo: Infinity }
    case 'planned':
      return { total: undefined, statements: [planned(node)], exactUpTo: Infinity }
    case 'estimated': {
      // Without a cap, counting would have no end either.
      if (maxRows === Infinity) return countSql('planned', node, values, maxRows)
      const limit = values.bind(String(maxRows + 1))
      const total = exactTotal(`${unpagedSql(node, values)} limit ${limit}::int8`)
      return { total, statements: [planned(node)], exactUpTo: maxRows }
    }
    default:
      return kind satisfies never
  }
}

export const exactTotal = (rows: string): string => `(select count(*) from (${rows}) plinth_all)`

function planned(node: ReadNode): Statement {
  const values = new Values()
  return { text: `explain (format json) ${unpagedSql(node, values)}`, values: values.list }
}

/**
 * @param counted the total in the statement of the rows
 * @param extra the rows of the count's own statements
 * @param seen rows that are known to exist: a guess below them is wrong
 */
export function totalOf(
  count: Count,
  counted: number | undefined,
  extra: readonly (readonly Row[])[],
  seen: number,
): number | undefined {
  if (count.statements.length === 0) return counted
  const plan = Math.max(planRows(extra[0]), seen)
  if (counted === undefined) return plan
  return counted > count.exactUpTo ? Math.max(plan, counted) : counted
}

/** The planner's guess, as EXPLAIN prints it over one or more lines. */
function planRows(rows: readonly Row[] | undefined): number {
  const text = (rows ?? []).map((row) => row[0] ?? '').join('\n')
  return Number(/"Plan Rows": (\d+)/.exec(text)?.[1] ?? 0)
}
