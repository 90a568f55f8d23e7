import type { Column, EntityColumn, EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, NewCell } from '#contract/database/rows/table-rows'
import { problemOf } from '../../../../ui/grid/check-value.ts'
import type { CellView, ColumnView, EditorKind, Lookup } from '../../../../ui/grid/grid-types.ts'
import type { View } from '../search.ts'

const numbers = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'money', 'oid'])
const moments: Record<string, EditorKind> = {
  date: 'date',
  time: 'time',
  timetz: 'time',
  timestamp: 'moment',
  timestamptz: 'moment',
}
const others: Record<string, EditorKind> = { uuid: 'uuid', bytea: 'bytes' }
const documents = new Set(['json', 'jsonb'])

type ForeignKey = EntityDetail['foreign_keys'][number]

export const isNumeric = (column: Column) => numbers.has(column.format)

export function editorOf(column: Column): EditorKind {
  if (column.format === 'bool') return 'bool'
  if (column.enums.length > 0 && column.data_type !== 'ARRAY') return 'choice'
  if (numbers.has(column.format)) return 'number'
  if (column.data_type === 'ARRAY') return 'list'
  if (documents.has(column.format)) return 'json'
  return moments[column.format] ?? others[column.format] ?? 'text'
}

const texts = new Set(['text', 'varchar', 'bpchar', 'citext'])
export const isText = ({ format, enums }: Column): boolean =>
  texts.has(format) && enums.length === 0

/** Whether people keep the addresses and paths of files in columns of this type. */
export const mayHoldFile = (column: Column): boolean => isText(column)

/** `_int4` is how Postgres names a list of int4. */
export function typeLabel(column: EntityColumn): string {
  if (column.type_label !== undefined) return column.type_label
  if (column.data_type === 'ARRAY') return `${column.format.replace(/^_/, '')}[]`
  return column.format
}

/** What the name of a type does not say; undefined when it says it all. */
export function typeTip({ base_type: base, enums }: EntityColumn): string | undefined {
  if (base) return `Domain over ${base}`
  if (enums.length === 0) return undefined
  const more = enums.length - maxValues
  return `Enum: ${enums.slice(0, maxValues).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
const maxValues = 10

const widths: Record<string, number> = {
  bool: 92,
  date: 116,
  uuid: 168,
  timestamptz: 232,
  timestamp: 208,
  json: 220,
  jsonb: 220,
  text: 208,
  // A sign and all their digits.
  int8: 168,
  numeric: 152,
  float8: 184,
}

/** Wide enough for the usual value and for the head, unless that is very long. */
function widthOf(column: EntityColumn, marked: boolean): number {
  const head = (column.name.length + typeLabel(column).length) * 7 + 38 + (marked ? 18 : 0)
  const value = widths[column.format] ?? (isNumeric(column) ? 112 : 152)
  return Math.min(320, Math.max(value, head))
}

/** A new row is refused without a value of one's own for it. */
export const isRequired = (column: Column) =>
  !column.is_nullable &&
  column.default_value === null &&
  !column.is_identity &&
  !column.is_generated

/** A new row gets a value without being told one, and cannot be told that it has none. */
export const isFilledIn = (column: Column) =>
  !column.is_nullable && !isRequired(column) && !column.is_generated

/** Why a column's values are the database's alone; undefined when they are not. */
export function lockedBecause(column: Column): string | undefined {
  if (column.is_generated) return `${column.name} is computed from other columns`
  if (!column.is_updatable) return `${column.name} is computed by the view`
  if (column.identity_generation === 'ALWAYS') return `${column.name} is numbered by the database`
  return undefined
}

type Looks = {
  sort: View['sort']
  widths: Readonly<Record<string, number>>
  lookupOf?: ((column: Column) => Lookup | undefined) | undefined
}

export function gridColumns(
  entity: EntityDetail,
  shown: readonly number[],
  { sort, widths, lookupOf }: Looks,
): ColumnView[] {
  return shown.flatMap((at) => {
    const column = entity.columns[at]
    if (!column) return []
    const isComputed = entity.read_only_because !== null && !column.is_updatable
    const locked = isComputed ? undefined : lockedBecause(column)
    const link = entity.foreign_keys.find((key) => key.columns.includes(column.name))
    const isKey = entity.primary_key.includes(column.name)
    const mark = isKey ? 'key' : link ? 'link' : locked ? 'lock' : undefined
    return [
      {
        id: column.id,
        name: column.name,
        type: typeLabel(column),
        width: widths[column.name] ?? widthOf(column, mark !== undefined),
        numeric: isNumeric(column),
        mark,
        sorted: sort.find((part) => part.column === column.name)?.direction,
        editor:
          locked !== undefined || entity.read_only_because !== null ? undefined : editorOf(column),
        nullable: column.is_nullable,
        problem: (text) => valueProblem(column, text),
        choices: column.data_type === 'ARRAY' ? [] : column.enums,
        locked,
        tip: tipOf(column, isKey, link, locked),
        lookup: lookupOf?.(column),
      },
    ]
  })
}

/** What is known of a column, one thing to a line. */
function tipOf(
  column: EntityColumn,
  isKey: boolean,
  link: ForeignKey | undefined,
  locked: string | undefined,
): string {
  const at = link?.columns.indexOf(column.name) ?? -1
  const lines = [
    `${column.name} ${typeLabel(column)}${column.is_nullable ? '' : ', not null'}`,
    typeTip(column),
    isKey && 'Part of the primary key',
    link && `Refers to ${link.target_schema}.${link.target_table}.${link.target_columns[at] ?? ''}`,
    link && actionsOf(link),
    column.default_value !== null && !column.is_generated && `Default: ${column.default_value}`,
    locked,
    column.comment,
  ]
  return lines.filter(Boolean).join('\n')
}

/** What happens to a row when the one that it refers to changes, unless nothing may. */
function actionsOf({ on_update: onUpdate, on_delete: onDelete }: ForeignKey): string | undefined {
  const parts = [
    onUpdate !== 'NO ACTION' && `on update ${onUpdate.toLowerCase()}`,
    onDelete !== 'NO ACTION' && `on delete ${onDelete.toLowerCase()}`,
  ].filter(Boolean)
  return parts.length > 0 ? `Then ${parts.join(', ')}` : undefined
}

const longForms: Record<string, string> = { t: 'true', f: 'false' }

/** A cell as people read it: truth in whole words, everything else as Postgres prints it. */
export function cellView(column: Column, cell: Cell): CellView {
  if (cell === null) return { text: null }
  if (typeof cell === 'object') return { text: cell.head, cut: true }
  return { text: column.format === 'bool' ? (longForms[cell] ?? cell) : cell }
}

/** The same for a value that was typed. In a new row, what has no value yet is filled in by the database where it can. */
export function newCellView(column: Column, cell: NewCell | undefined): CellView {
  if (typeof cell === 'string') return cellView(column, cell)
  const filledIn = column.default_value !== null || column.is_identity || column.is_generated
  if (cell === undefined || cell !== null)
    return filledIn ? { text: null, look: 'auto' } : { text: null }
  return { text: null }
}

/** What the database would print for a value that was typed: only truth is typed in words. */
export function typedCell(column: Column, text: string | null): string | null {
  if (text === null || column.format !== 'bool') return text
  const short = { true: 't', false: 'f' }[text.trim().toLowerCase()]
  return short ?? text
}

/** Why a value cannot stand in a column, as far as that is certain; null is NULL. */
export function valueProblem(column: EntityColumn, text: string | null): string | undefined {
  if (text === null) return column.is_nullable ? undefined : `${column.name} cannot be NULL`
  const { type, data_type: kind, enums: choices } = column
  // A type of people's own may be called as one of Postgres.
  const format = kind === 'USER-DEFINED' ? '' : column.format
  const problem = problemOf({ format, type, isList: kind === 'ARRAY', choices }, text)
  if (problem === undefined || text !== '') return problem
  return column.is_nullable ? `${problem}. Choose NULL for no value.` : problem
}
