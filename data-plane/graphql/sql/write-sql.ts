import { quoteIdent } from '#contract/ddl/sql-text'
import { filterSql } from './filter-sql.ts'
import { columnsFor, type Column, type Table } from '../model.ts'
import type { Filter, ResponsePlan } from '../plan.ts'
import { rowJson } from './read-sql.ts'
import { qualified, Taken, textOf, type Writing } from './sql-parts.ts'

/**
 * A mutation and what is read of its rows, as JSON: `affected` and `records`. What stands in other tables is read as it
 * was before the statement.
 */
function writtenSql(
  response: ResponsePlan,
  writing: Writing,
  change: (alias: string) => string,
): string {
  const [target, rows] = [writing.alias(), writing.alias()]
  const taken = new Taken()
  const changed = change(target)
  const records = response.rows.map((row) => rowJson(row, rows, taken, writing))
  const list =
    records.length === 0 ? '' : `, 'records', json_agg(json_build_array(${records.join(', ')}))`
  const returning = taken.list(target)
  return `with ${rows} as (${changed} returning ${returning}) select json_build_object('affected', count(*)${list}) from ${rows}`
}

/** Rows differ in the columns that they give: the others take their defaults. */
export function insertSql(
  table: Table,
  objects: readonly Filter[],
  response: ResponsePlan,
  writing: Writing,
): string {
  const possible = columnsFor(table, 'insertable')
  const given = possible.filter(({ field }) => objects.some((one) => Object.hasOwn(one, field)))
  // Rows that give nothing still need a column to say so; there is one, else there would be no such mutation.
  const columns = given.length === 0 ? possible.slice(0, 1) : given
  return writtenSql(response, writing, (target) => {
    const rows = objects.map((object) => {
      const values = columns.map(({ field }) =>
        Object.hasOwn(object, field) ? writing.bind(textOf(object[field])) : 'default',
      )
      return `(${values.join(', ')})`
    })
    return `insert into ${qualified(table)} as ${target} (${namesSql(columns)}) values ${rows.join(', ')}`
  })
}

const namesSql = (columns: readonly Column[]) =>
  columns.map(({ name }) => quoteIdent(name)).join(', ')

export function updateSql(
  table: Table,
  set: Filter,
  filter: Filter | undefined,
  response: ResponsePlan,
  writing: Writing,
): string {
  return writtenSql(response, writing, (target) => {
    const assigned = columnsFor(table, 'updatable')
      .filter(({ field }) => Object.hasOwn(set, field))
      .map(({ name, field }) => `${quoteIdent(name)} = ${writing.bind(textOf(set[field]))}`)
    return `update ${qualified(table)} as ${target} set ${assigned.join(', ')} where ${filterSql(table, target, filter ?? {}, writing)}`
  })
}

export function deleteSql(
  table: Table,
  filter: Filter | undefined,
  response: ResponsePlan,
  writing: Writing,
): string {
  return writtenSql(
    response,
    writing,
    (target) =>
      `delete from ${qualified(table)} as ${target} where ${filterSql(table, target, filter ?? {}, writing)}`,
  )
}
