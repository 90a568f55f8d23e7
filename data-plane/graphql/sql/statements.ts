import { GraphQLError } from 'graphql'
import type { Row, Statement } from '../../projects/transaction.ts'
import { callSql } from './call-sql.ts'
import type { RootPlan } from '../plan.ts'
import { connectionSql, nodeSql } from './read-sql.ts'
import { Writing } from './sql-parts.ts'
import { deleteSql, insertSql, updateSql } from './write-sql.ts'

/** The one statement of a root field: its one cell is JSON. @throws GraphQLError */
export function statementOf(plan: RootPlan): Statement {
  const writing = new Writing()
  try {
    return { text: textOf(plan, writing), values: writing.values }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new GraphQLError(error.message, { nodes: plan.node, path: [plan.key] })
  }
}

function textOf(plan: RootPlan, writing: Writing): string {
  switch (plan.kind) {
    case 'node':
      return `select ${nodeSql(plan.row, plan.id, writing)}`
    case 'collection':
      return `select ${connectionSql(plan.connection, () => [], writing)}`
    case 'call':
      return callSql(plan, writing)
    case 'insert':
      return insertSql(plan.table, plan.objects, plan.response, writing)
    case 'update':
      return updateSql(plan.table, plan.set, plan.filter, plan.response, writing)
    case 'delete':
      return deleteSql(plan.table, plan.filter, plan.response, writing)
    default:
      return plan satisfies never
  }
}

/** What a statement has found. */
export function resultOf(rows: readonly Row[] | undefined): unknown {
  const cell = rows?.[0]?.[0] ?? null
  return cell === null ? null : (JSON.parse(cell) as unknown)
}

/** Refuses the whole transaction when a field would touch more rows than it said. */
export function refusalOf(plans: readonly RootPlan[]) {
  const limited = plans.some(({ kind }) => kind === 'update' || kind === 'delete')
  if (!limited) return undefined
  return (results: readonly (readonly Row[])[]): Error | undefined => {
    for (const [i, plan] of plans.entries()) {
      if (plan.kind !== 'update' && plan.kind !== 'delete') continue
      // The statement makes this object.
      const { affected } = resultOf(results[i]) as { affected: number }
      if (affected <= plan.atMost) continue
      const message = `This would touch more rows than "atMost" allows (${plan.atMost})`
      return new GraphQLError(message, { nodes: plan.node, path: [plan.key] })
    }
    return undefined
  }
}
