import { GraphQLError } from 'graphql'
import type { Row, Statement } from '../../projects/transaction.ts'
import type { RootPlan } from '../plan.ts'
import { connectionSql, nodeSql, rowOfSql, valueSql } from './read-sql.ts'
import { Writing, functionSql, textOf } from './sql-parts.ts'
import { deleteSql, insertSql, updateSql } from './write-sql.ts'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { Func } from '../model.ts'

/** The one statement of a root field: its one cell is JSON. @throws GraphQLError */
export function statementOf(plan: RootPlan): Statement {
  const writing = new Writing()
  try {
    return { text: sqlOf(plan, writing), values: writing.values }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new GraphQLError(error.message, { nodes: plan.node, path: [plan.key] })
  }
}

function sqlOf(plan: RootPlan, writing: Writing): string {
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

type Call = Extract<RootPlan, { kind: 'call' }>

/** The statement of a function that is a root field. It is called once, also where its rows are looked at several times. */
function callSql({ fn, args, read }: Call, writing: Writing): string {
  const call = argumentsSql(fn, args, writing)
  switch (read.kind) {
    case 'value':
      return `select to_json(${valueSql(call, read.value)})`
    case 'row':
      return `select ${rowOfSql(read.row, call, writing)}`
    case 'rows': {
      const source = writing.alias()
      const rows = connectionSql({ ...read.connection, source }, () => [], writing)
      return `with ${source} as (select * from ${call} as ${writing.alias()}) select ${rows}`
    }
    default:
      return read satisfies never
  }
}

/** Arguments that are not given take their defaults. */
function argumentsSql(
  fn: Func,
  given: Readonly<Record<string, unknown>>,
  writing: Writing,
): string {
  const args = fn.args
    .filter(({ field }) => Object.hasOwn(given, field))
    .map(({ name, field, type }) => {
      const value = writing.bind(textOf(given[field]))
      return `${quoteIdent(name)} => ${value}::${type}`
    })
  return `${functionSql(fn)}(${args.join(', ')})`
}
