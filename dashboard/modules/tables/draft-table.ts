import { typedDefault } from '#contract/ddl/tables/column-sql'
import type {
  ColumnShape,
  ForeignKeyShape,
  KeyAction,
  RoleAccess,
  TableShape,
  DesiredColumn,
  DesiredTable,
} from '#contract/ddl/tables/table-shape'
import { canBeIdentity } from './column-types.ts'

/** A column as the form holds it: texts where people type, and what it was. */
export type DraftColumn = {
  /** Of the row in the form; names change while they are typed. */
  id: string
  was: ColumnShape | undefined
  name: string
  type: string
  isArray: boolean
  default: string
  key: boolean
  nullable: boolean
  unique: boolean
  identity: 'ALWAYS' | 'BY DEFAULT' | null
  generated: string
  check: string
  comment: string
}
export type DraftKey = {
  id: string
  /** Empty until the server has one. */
  name: string
  schema: string
  table: string
  /** It points to its own table, which may not be there yet; `table` is empty then. */
  self: boolean
  /** `target` is a name, or the id of a column of the form where the key points to its own table. */
  pairs: { id: string; column: string; target: string }[]
  on_update: KeyAction
  on_delete: KeyAction
}
export type DraftTable = {
  /** What the table is called now; missing for a new one. */
  was?: { schema: string; name: string }
  schema: string
  name: string
  comment: string
  rls: boolean
  realtime: boolean | null
  columns: DraftColumn[]
  keys: DraftKey[]
  access: RoleAccess[]
}

let count = 0
export const newId = (what: string) => `${what}-${(count += 1)}`

export const draftColumn = (column: Partial<Omit<DraftColumn, 'id'>> = {}): DraftColumn => ({
  id: newId('column'),
  was: undefined,
  name: '',
  type: 'text',
  isArray: false,
  default: '',
  key: false,
  nullable: true,
  unique: false,
  identity: null,
  generated: '',
  check: '',
  comment: '',
  ...column,
})

export const draftKey = (schema: string, column: string): DraftKey => ({
  id: newId('key'),
  name: '',
  schema,
  table: '',
  self: false,
  pairs: [{ id: newId('pair'), column, target: '' }],
  on_update: 'NO ACTION',
  on_delete: 'NO ACTION',
})

type Start = { access: RoleAccess[]; realtime: boolean | null }

/** What most tables begin with. */
export const draftTable = (schema: string, { access, realtime }: Start): DraftTable => ({
  schema,
  name: '',
  comment: '',
  rls: true,
  realtime,
  columns: [
    draftColumn({ name: 'id', type: 'int8', key: true, nullable: false, identity: 'BY DEFAULT' }),
    draftColumn({ name: 'created_at', type: 'timestamptz', default: 'now()', nullable: false }),
  ],
  keys: [],
  access,
})

export function draftOf(table: TableShape): DraftTable {
  const columns = table.columns.map((was) => ({
    ...draftColumn(),
    was,
    name: was.name,
    type: was.type.replace(/\[\]$/, ''),
    isArray: was.type.endsWith('[]'),
    default: was.default ?? '',
    key: table.primary_key.columns.includes(was.name),
    nullable: was.nullable,
    unique: was.unique,
    identity: was.identity,
    generated: was.generated ?? '',
    check: was.check ?? '',
    comment: was.comment ?? '',
  }))
  const idOf = (name: string) => columns.find((column) => column.name === name)?.id ?? ''
  const { schema, name, rls, realtime, access } = table
  const isSelf = (key: ForeignKeyShape) => key.target_schema === schema && key.target_table === name
  return {
    was: { schema, name },
    schema,
    name,
    comment: table.comment ?? '',
    rls,
    realtime,
    access,
    columns,
    keys: table.foreign_keys.map((key) => ({
      id: newId('key'),
      name: key.name,
      schema: key.target_schema,
      table: isSelf(key) ? '' : key.target_table,
      self: isSelf(key),
      pairs: key.columns.map((column, at) => ({
        id: newId('pair'),
        column: idOf(column),
        target: isSelf(key) ? idOf(key.target_columns[at] ?? '') : (key.target_columns[at] ?? ''),
      })),
      on_update: key.on_update,
      on_delete: key.on_delete,
    })),
  }
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim())

export const typeOf = ({ type, isArray }: Pick<DraftColumn, 'type' | 'isArray'>) =>
  isArray ? `${type}[]` : type

function wantedColumn(draft: DraftColumn): DesiredColumn {
  const { was } = draft
  const type = typeOf(draft)
  const identity = canBeIdentity(draft.type) && !draft.isArray ? draft.identity : null
  // What the server says of a default is SQL, though it may not read like it to us.
  const sameDefault = was && draft.default === (was.default ?? '')
  return {
    was: was?.name,
    name: draft.name.trim(),
    type,
    nullable: draft.nullable && !draft.key,
    default: sameDefault ? was.default : typedDefault(draft.default, type),
    generated: textOrNull(draft.generated),
    check: textOrNull(draft.check),
    identity,
    unique: draft.unique,
    comment: textOrNull(draft.comment),
    unique_name: was?.unique_name ?? null,
    check_name: was?.check_name ?? null,
  }
}

/** The form's table, with the order of a composite key as it was, new columns last. */
export function wantedOf(draft: DraftTable, before?: TableShape): DesiredTable {
  const columns = draft.columns.map(wantedColumn)
  const nameOf = (id: string) => draft.columns.find((column) => column.id === id)?.name.trim() ?? ''
  /** It is reached under the name that it has when its keys are made. */
  const itself = draft.was ?? { schema: draft.schema, name: draft.name.trim() }
  const place = ({ was }: DraftColumn) => {
    const at = was ? (before?.primary_key.columns.indexOf(was.name) ?? -1) : -1
    return at < 0 ? Number.MAX_SAFE_INTEGER : at
  }
  const key = draft.columns.filter(({ key: inKey }) => inKey)
  return {
    schema: draft.schema,
    name: draft.name.trim(),
    comment: textOrNull(draft.comment),
    rls: draft.rls,
    realtime: draft.realtime,
    columns,
    primary_key: {
      name: before?.primary_key.name ?? null,
      columns: key.toSorted((a, b) => place(a) - place(b)).map(({ name }) => name.trim()),
    },
    foreign_keys: draft.keys.map((one): ForeignKeyShape => ({
      name: one.name,
      columns: one.pairs.map(({ column }) => nameOf(column)),
      target_schema: one.self ? itself.schema : one.schema,
      target_table: one.self ? itself.name : one.table,
      target_columns: one.pairs.map(({ target }) => (one.self ? nameOf(target) : target)),
      on_update: one.on_update,
      on_delete: one.on_delete,
    })),
    access: draft.access,
  }
}

const tooLong = (name: string) => new TextEncoder().encode(name).length > 63

function nameProblem(name: string, what: string): string | undefined {
  if (name === '') return `A ${what} needs a name`
  if (tooLong(name)) return 'A name has at most 63 bytes'
  return undefined
}

/** What is wrong with the form, by the id of the column or key, or `name`; empty when nothing is. */
export function problemsOf(table: DraftTable): Record<string, string> {
  const problems: Record<string, string> = {}
  const name = nameProblem(table.name.trim(), 'table')
  if (name) problems['name'] = name
  const names = table.columns.map((column) => column.name.trim())
  for (const column of table.columns) {
    const trimmed = column.name.trim()
    const problem =
      nameProblem(trimmed, 'column') ??
      (names.indexOf(trimmed) !== names.lastIndexOf(trimmed)
        ? 'Another column has this name'
        : undefined) ??
      kindProblem(column)
    if (problem) problems[column.id] = problem
  }
  const ids = new Set(table.columns.map(({ id }) => id))
  for (const key of table.keys) {
    const whole =
      (key.self || key.table !== '') &&
      key.pairs.length > 0 &&
      key.pairs.every(
        ({ column, target }) => ids.has(column) && (key.self ? ids.has(target) : target !== ''),
      )
    if (!whole) problems[key.id] = 'Choose the table and a column on both sides'
  }
  return problems
}

function kindProblem({ type, generated, identity, default: value }: DraftColumn) {
  if (type.trim() === '') return 'A column needs a type'
  if (generated.trim() !== '' && identity) return 'It can be generated or an identity, not both'
  if (generated.trim() !== '' && value.trim() !== '')
    return 'It can be generated or have a default, not both'
  return undefined
}
