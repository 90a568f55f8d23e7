import { DatabaseError, type PoolClient } from 'pg'
import type { RawStmt } from 'libpg-query'
import { ApiError } from '#kit/errors'
import { parseSql } from '../parser.ts'

/** A node of EXPLAIN's JSON, as far as it is looked at here. */
export type PlanNode = {
  'Total Cost'?: number
  'Index Name'?: string
  Plans?: PlanNode[]
}

const planned = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']

/**
 * The parse tree of a text of pg_stat_statements.
 * @throws ApiError invalid_input for what has no plan, and for more than one statement: it is put after EXPLAIN.
 */
export async function plannable(query: string): Promise<RawStmt> {
  const [statement, ...more] = (await parseSql(query)) ?? []
  const kind = Object.keys(statement?.stmt ?? {})[0] ?? ''
  if (!statement || more.length > 0)
    throw new ApiError(
      'invalid_input',
      'This statement cannot be explained: it is cut off, or its placeholders are where SQL takes no parameters',
    )
  if (!planned.includes(kind))
    throw new ApiError(
      'invalid_input',
      'Only SELECT, INSERT, UPDATE, DELETE and MERGE can be explained',
    )
  return statement
}

const timeoutSql = "set local statement_timeout = '5s'; set local lock_timeout = '1s'"

/** Nothing runs in it and nothing stays. */
export async function rolledBack<T>(
  db: PoolClient,
  begin: 'begin' | 'begin read only',
  work: () => Promise<T>,
): Promise<T> {
  await db.query(begin)
  try {
    await db.query(timeoutSql)
    return await work()
  } finally {
    // The way back must not hide what went wrong; a session that cannot go back is thrown away by its pool.
    await db.query('rollback').catch(() => undefined)
  }
}

export async function explain(
  db: PoolClient,
  query: string,
): Promise<{ cost: number; plan: PlanNode }> {
  const text = `explain (generic_plan, format json) ${query}`
  const { rows } = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(text)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error('EXPLAIN has answered without a plan')
  return { cost: plan['Total Cost'] ?? 0, plan }
}

/** The plan for any values of the placeholders, or why there is none; nothing runs. */
export async function planOf(db: PoolClient, { query }: { query: string }) {
  try {
    await plannable(query)
    const found = await rolledBack(db, 'begin read only', () => explain(db, query))
    return { ...found, problem: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { cost: null, plan: null, problem: error.message }
  }
}

/** Of the statement, by us or by the database: not that nobody answers, which has an SQLSTATE of class 08 or 57. */
const isRefusal = (error: unknown): error is Error =>
  (error instanceof ApiError && error.code === 'invalid_input') ||
  (error instanceof DatabaseError && !/^(?:08|53|57|58|XX)/.test(error.code ?? 'XX'))

export const usesIndex = (node: PlanNode, name: string): boolean =>
  node['Index Name'] === name || (node.Plans ?? []).some((inner) => usesIndex(inner, name))
