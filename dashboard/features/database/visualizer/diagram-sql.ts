import { sqlOf } from '#contract/ddl/change'
import { columnSql } from '#contract/ddl/tables/column-sql'
import { foreignKeySql } from '#contract/ddl/tables/foreign-keys'
import { ident, qualified } from '#contract/ddl/sql-text'
import type { DiagramLink, DiagramTable } from '#contract/database/table-shapes'

const note = '-- For reading: defaults, checks, indexes and policies are left out.\n\n'

/** The tables as SQL, first all of them, then the keys between them, so that it also runs. */
export function diagramSql(
  schema: string,
  tables: readonly DiagramTable[],
  links: readonly DiagramLink[],
): string {
  const names = new Map(tables.map(({ id, name }) => [id, name]))
  const creates = tables.map(({ name, columns }) => {
    const key = columns.filter((column) => column.key)
    const parts = columns.map((column) =>
      columnSql(
        {
          ...column,
          default: null,
          generated: null,
          check: null,
          comment: null,
          identity: column.identity ? 'BY DEFAULT' : null,
          unique: column.unique && !(column.key && key.length === 1),
          unique_name: null,
          check_name: null,
        },
        { constraints: true },
      ),
    )
    if (key.length > 0) parts.push(`primary key (${key.map((one) => ident(one.name)).join(', ')})`)
    const body = parts.map((part) => `\n  ${part}`).join(',')
    return `create table ${qualified(schema, name)} (${body}${parts.length > 0 ? '\n' : ''})`
  })
  const keys = links.flatMap((link) => {
    const source = names.get(link.source)
    const target = names.get(link.target)
    if (source === undefined || target === undefined) return []
    const key = foreignKeySql(
      {
        name: link.name,
        columns: link.source_columns,
        target_schema: schema,
        target_table: target,
        target_columns: link.target_columns,
        on_update: 'NO ACTION',
        on_delete: 'NO ACTION',
      },
      { named: true },
    )
    return [`alter table ${qualified(schema, source)} add ${key}`]
  })
  return note + sqlOf([...creates, ...keys]) + '\n'
}
