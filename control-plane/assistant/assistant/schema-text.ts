import type { Column, Table } from '#contract/database/pg-meta-shapes'

/** Characters of the schema that every question carries; what is beyond can be asked for by the model. */
const longest = 24_000

type TableName = { schema: string; name: string }
const nameOf = ({ schema, name }: TableName) => `${schema}.${name}`

/**
 * A project's tables in one line each: `public.books (id int8 primary key, author_id int8 references public.authors(id))`.
 * Names and types only: defaults and comments may hold what nobody meant to send away.
 */
export function schemaText(tables: readonly Table[]): string {
  if (tables.length === 0) return 'The database has no tables yet.'
  const lines = tables.map(tableText)
  const fitting: string[] = []
  let left = longest
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    fitting.push(line)
  }
  if (fitting.length === lines.length) return fitting.join('\n')
  const names = tables.slice(fitting.length).map(nameOf).join(', ')
  return [
    ...fitting,
    `And ${lines.length - fitting.length} more, ask for their columns: ${names.slice(0, longest / 2)}`,
  ].join('\n')
}

export function tableText(table: Table): string {
  const keys = table.primary_keys.map(({ name }) => name)
  const columns = (table.columns ?? []).map((column) => columnText(column, table, keys))
  const key = keys.length > 1 ? [`primary key (${keys.join(', ')})`] : []
  return `${nameOf(table)} (${[...columns, ...key].join(', ')})`
}

function columnText(column: Column, table: Table, keys: readonly string[]): string {
  const reference = table.relationships.find(
    (one) =>
      one.source_schema === table.schema &&
      one.source_table_name === table.name &&
      one.source_column_name === column.name,
  )
  return [
    `${column.name} ${column.format}`,
    keys.length === 1 && keys[0] === column.name && 'primary key',
    !column.is_nullable && !keys.includes(column.name) && 'not null',
    column.is_unique && !keys.includes(column.name) && 'unique',
    reference &&
      `references ${reference.target_table_schema}.${reference.target_table_name}(${reference.target_column_name})`,
    column.enums.length > 0 && `one of ${column.enums.slice(0, 30).join('|')}`,
  ]
    .filter(Boolean)
    .join(' ')
}
