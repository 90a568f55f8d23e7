import { quoteIdent } from '#contract/ddl/sql-text'
import type { CatalogColumn } from '../catalog/catalog.ts'

const call = ({ schema, name }: { schema: string; name: string }, sql: string) =>
  `${quoteIdent(schema)}.${quoteIdent(name)}(${sql})`

/** A column of the relation `alias` (quoted) as answers show it. */
export function shownSql(column: CatalogColumn, alias: string, name = column.name): string {
  const sql = `${alias}.${quoteIdent(column.name)}`
  const out = column.representation?.out
  return out || name !== column.name ? `${out ? call(out, sql) : sql} as ${quoteIdent(name)}` : sql
}

/** The type that a column's value has in a body, and how it becomes the column's own. */
export function bodyColumn(column: CatalogColumn): { type: string; own(sql: string): string } {
  const read = column.representation?.in
  return read
    ? { type: 'json', own: (sql) => call(read, sql) }
    : { type: column.type, own: (sql) => sql }
}

/** A column's default as a body would say it, since it is read together with the body. */
export function defaultSql(column: CatalogColumn): string {
  const { out, in: read } = column.representation ?? {}
  return out && read ? call(out, `(${column.default})::${column.type}`) : `${column.default}`
}

/** What a column is compared with: the value behind a placeholder of a text. */
export function comparedSql(column: CatalogColumn | undefined, placeholder: string): string {
  const filter = column?.representation?.filter
  return filter ? call(filter, `${placeholder}::text`) : placeholder
}

/** The same for each member of an array behind a placeholder; undefined where the array can be taken as it is. */
export function comparedMembersSql(
  column: CatalogColumn | undefined,
  placeholder: string,
): string | undefined {
  const filter = column?.representation?.filter
  return (
    filter &&
    `select ${call(filter, 'plinth_value')} from unnest(${placeholder}::text[]) plinth_value`
  )
}
