import { quoteIdent } from '#contract/ddl/sql-text'
import type { Func } from '../model.ts'
import type { RootPlan } from '../plan.ts'
import { connectionSql, rowOfSql, valueSql } from './read-sql.ts'
import { functionSql, textOf, type Writing } from './sql-parts.ts'

type Call = Extract<RootPlan, { kind: 'call' }>

/** The statement of a function that is a root field. It is called once, also where its rows are looked at several times. */
export function callSql({ fn, args, read }: Call, writing: Writing): string {
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
