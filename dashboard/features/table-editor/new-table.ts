import type { Input } from '#contract/endpoint'
import type { pgMeta } from '#contract/pg-meta'

/** A column as the panel's form holds it. */
export type DraftColumn = {
  /** Of the row in the form; names change while they are typed. */
  id: string
  name: string
  type: string
  default_value: string
  is_primary_key: boolean
  is_nullable: boolean
  is_unique: boolean
  is_identity: boolean
}
export type DraftTable = { name: string; comment: string; secured: boolean; columns: DraftColumn[] }

let count = 0
export function draftColumn(column: Partial<Omit<DraftColumn, 'id'>> = {}): DraftColumn {
  count += 1
  return {
    id: `column-${count}`,
    name: '',
    type: 'text',
    default_value: '',
    is_primary_key: false,
    is_nullable: true,
    is_unique: false,
    is_identity: false,
    ...column,
  }
}

/** What most tables begin with. */
export const draftTable = (): DraftTable => ({
  name: '',
  comment: '',
  secured: true,
  columns: [
    draftColumn({
      name: 'id',
      type: 'int8',
      is_primary_key: true,
      is_nullable: false,
      is_identity: true,
    }),
    draftColumn({
      name: 'created_at',
      type: 'timestamptz',
      default_value: 'now()',
      is_nullable: false,
    }),
  ],
})

/** Column types in the order in which they are offered (facts §10). */
export const baseTypes = [
  ['int2', 'whole number, 2 bytes'],
  ['int4', 'whole number, 4 bytes'],
  ['int8', 'whole number, 8 bytes'],
  ['float4', 'inexact number, 4 bytes'],
  ['float8', 'inexact number, 8 bytes'],
  ['numeric', 'exact number of any size'],
  ['json', 'document as written'],
  ['jsonb', 'document, parsed and indexable'],
  ['text', 'text of any length'],
  ['varchar', 'text of any length'],
  ['uuid', 'unique id'],
  ['date', 'day'],
  ['time', 'time of day'],
  ['timetz', 'time of day with zone'],
  ['timestamp', 'day and time without zone'],
  ['timestamptz', 'day and time, a moment'],
  ['bool', 'true or false'],
  ['bytea', 'bytes'],
] as const

export const canBeIdentity = (type: string) => type === 'int2' || type === 'int4' || type === 'int8'

/**
 * A default that reads like SQL is taken as SQL (a call, a quoted text, a cast, current_date ...), anything else as the
 * value itself, so that `hello` needs no quotes.
 */
export function isExpression(text: string): boolean {
  return /^(?:[\w."]+\s*\(.*\)|'.*'|.+::[\w." [\]]+|current_\w+|localtime(?:stamp)?|array\s*\[.*\]|\(.*\)|null)$/is.test(
    text.trim(),
  )
}

/** What is wrong with the form, by the id of the column or `name`; empty when nothing is. */
export function problemsOf(table: DraftTable): Record<string, string> {
  const problems: Record<string, string> = {}
  if (table.name.trim() === '') problems.name = 'A table needs a name'
  const seen = new Set<string>()
  for (const { id, name } of table.columns) {
    const trimmed = name.trim()
    if (trimmed === '') problems[id] = 'A column needs a name'
    else if (seen.has(trimmed)) problems[id] = 'Another column has this name'
    seen.add(trimmed)
  }
  return problems
}

type NewTable = Omit<Input<typeof pgMeta.createTable>, 'ref'>

export const newTableOf = (schema: string, table: DraftTable): NewTable => ({
  schema,
  name: table.name.trim(),
  rls_enabled: table.secured,
  ...(table.comment.trim() ? { comment: table.comment.trim() } : {}),
  columns: table.columns.map((column) => {
    const identity = column.is_identity && canBeIdentity(column.type)
    const value = column.default_value.trim()
    return {
      name: column.name.trim(),
      type: column.type,
      is_primary_key: column.is_primary_key,
      is_nullable: column.is_nullable && !column.is_primary_key,
      is_unique: column.is_unique,
      is_identity: identity,
      ...(value && !identity
        ? {
            default_value: value,
            default_value_format: isExpression(value)
              ? ('expression' as const)
              : ('literal' as const),
          }
        : {}),
    }
  }),
})
