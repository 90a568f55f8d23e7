import { changeName, type Change } from '../change.ts'
import { columnAlterations, renameStatements } from './column-diff.ts'
import { columnSql, commentSql, inParentheses } from './column-sql.ts'
import { foreignKeySql, namedKeys } from './foreign-keys.ts'
import { objectName } from '../object-name.ts'
import { ident, qualified } from '../sql-text.ts'
import { accessStatements, markStatements } from './table-access.ts'
import type { ForeignKeyShape, TableShape, DesiredColumn, DesiredTable } from './table-shape.ts'

/**
 * From a table as it is to the table that is wanted: one change, in one transaction. Its inverse is the way back; there
 * is none when a column goes (its values are gone) or stops being generated (Postgres cannot make it so again).
 */
export function editTable(before: TableShape, desired: DesiredTable, name?: string): Change {
  const after = settled(before, desired)
  const stays = new Set(after.columns.map(({ was }) => was))
  const lost = before.columns.some(({ name: column, generated }) => {
    const next = after.columns.find(({ was }) => was === column)
    return !stays.has(column) || (generated !== null && next?.generated === null)
  })
  const change: Change = {
    name: name ?? changeName('edit table', before.name),
    statements: alterations(before, after),
  }
  return lost
    ? change
    : { ...change, inverse: alterations(asItIs(before, after), wayBack(before, after)) }
}

/** With every name filled in, and what follows from keys and identities: they are never null. */
function settled(before: TableShape, desired: DesiredTable): DesiredTable {
  const key = desired.primary_key.columns
  const taken = namesIn(before)
  const nameFor = (columns: readonly string[], label: string) => {
    const name = objectName(before.name, columns, label, taken)
    taken.add(name)
    return name
  }
  const columns = desired.columns.map((column): DesiredColumn => {
    const named = [column.name]
    const old = before.columns.find(({ name }) => name === column.was)
    // The index that makes it so is not the form's to drop.
    const byIndex = old?.unique === true && old.unique_name === null
    return {
      ...column,
      nullable: column.nullable && !key.includes(column.name) && column.identity === null,
      default: column.identity || column.generated !== null ? null : column.default,
      unique: column.unique || byIndex,
      unique_name: byIndex || !column.unique ? null : (column.unique_name ?? nameFor(named, 'key')),
      check_name: column.check === null ? null : (column.check_name ?? nameFor(named, 'check')),
    }
  })
  return {
    ...desired,
    columns,
    primary_key: {
      columns: key,
      name: before.primary_key.name ?? desired.primary_key.name ?? nameFor([], 'pkey'),
    },
    foreign_keys: namedKeys(before.name, desired.foreign_keys, taken),
  }
}

const namesIn = ({ columns, primary_key: key, foreign_keys: keys }: TableShape) =>
  new Set(
    [
      key.name,
      ...columns.flatMap((column) => [column.unique_name, column.check_name]),
      ...keys.map(({ name }) => name),
    ].filter((name) => name !== null),
  )

const isSelf = (key: ForeignKeyShape, ...tables: readonly { schema: string; name: string }[]) =>
  tables.some(({ schema, name }) => key.target_schema === schema && key.target_table === name)

/** The wanted table once it is there; keys to itself follow its name. */
const asItIs = (before: TableShape, after: DesiredTable): TableShape => ({
  ...after,
  columns: after.columns.map(({ was: _was, ...column }) => column),
  primary_key:
    after.primary_key.columns.length > 0 ? after.primary_key : { name: null, columns: [] },
  foreign_keys: after.foreign_keys.map((key) =>
    isSelf(key, before, after)
      ? { ...key, target_schema: after.schema, target_table: after.name }
      : key,
  ),
})

const wayBack = (before: TableShape, after: DesiredTable): DesiredTable => ({
  ...before,
  primary_key: { ...before.primary_key, name: before.primary_key.name ?? after.primary_key.name },
  columns: before.columns.map((column) => ({
    ...column,
    was: after.columns.find(({ was }) => was === column.name)?.name,
  })),
})

function alterations(before: TableShape, after: DesiredTable): string[] {
  const on = qualified(before.schema, before.name)
  const alter = (action: string) => `alter table ${on} ${action}`
  const drop = (constraint: string) => alter(`drop constraint ${ident(constraint)}`)
  const oldOf = new Map(before.columns.map((column) => [column.name, column]))
  const kept = after.columns.flatMap((column) => {
    const old = column.was === undefined ? undefined : oldOf.get(column.was)
    return old ? [{ old, column }] : []
  })
  const renamed = new Map(kept.map(({ old, column }) => [old.name, column.name]))
  const added = after.columns.filter((column) => !kept.some((one) => one.column === column))
  const gone = before.columns.filter(({ name }) => !renamed.has(name))
  const asNamed = (names: readonly string[]) => names.map((name) => renamed.get(name) ?? name)

  const keys = keyDifferences(before, after, asNamed)
  const oldKey = asNamed(before.primary_key.columns)
  const newKey = after.primary_key.columns
  const rekeyed = oldKey.join('\0') !== newKey.join('\0')

  const looseConstraints = kept.flatMap(({ old, column }) => [
    ...(old.unique && !column.unique && old.unique_name !== null ? [drop(old.unique_name)] : []),
    ...(old.check_name !== null && old.check !== column.check ? [drop(old.check_name)] : []),
  ])
  const tightConstraints = after.columns.flatMap((column) => {
    const old = kept.find((one) => one.column === column)?.old
    const constraint = (name: string | null, sql: string) =>
      alter(`add constraint ${ident(name ?? '')} ${sql}`)
    return [
      ...(column.unique && !old?.unique
        ? [constraint(column.unique_name, `unique (${ident(column.name)})`)]
        : []),
      ...(column.check !== null && column.check !== old?.check
        ? [constraint(column.check_name, `check ${inParentheses(column.check)}`)]
        : []),
    ]
  })

  return [
    ...keys.gone.map(({ name }) => drop(name)),
    ...(rekeyed && before.primary_key.name !== null && oldKey.length > 0
      ? [drop(before.primary_key.name)]
      : []),
    ...looseConstraints,
    ...gone.map(({ name }) => alter(`drop column ${ident(name)}`)),
    ...renameStatements(
      on,
      kept.map(({ old, column }) => ({ from: old.name, to: column.name })),
      new Set(after.columns.map(({ name }) => name)),
    ),
    ...kept.flatMap(({ old, column }) => columnAlterations(on, old, column)),
    ...added.flatMap((column) => [
      alter(`add column ${columnSql(column, { constraints: false })}`),
      ...(column.comment ? [commentSql(`column ${on}.${ident(column.name)}`, column.comment)] : []),
    ]),
    ...(rekeyed && newKey.length > 0
      ? [
          alter(
            `add constraint ${ident(after.primary_key.name ?? '')} primary key (${newKey.map(ident).join(', ')})`,
          ),
        ]
      : []),
    ...tightConstraints,
    ...keys.added.map((key) => alter(`add ${foreignKeySql(key, { named: true })}`)),
    ...markStatements(on, before, after),
    ...accessStatements(on, before.access, after.access),
    ...moveStatements(before, after),
  ]
}

/** Keys are the same when name, pairs and actions are; a changed one is dropped and made again. */
function keyDifferences(
  before: TableShape,
  after: DesiredTable,
  asNamed: (names: readonly string[]) => string[],
) {
  const textOf = (key: ForeignKeyShape, names: (of: readonly string[]) => readonly string[]) => {
    const self = isSelf(key, before, after)
    const targets = self ? names(key.target_columns) : key.target_columns
    const target = self ? [] : [key.target_schema, key.target_table]
    return JSON.stringify([
      key.name,
      names(key.columns),
      target,
      targets,
      key.on_update,
      key.on_delete,
    ])
  }
  const old = new Set(before.foreign_keys.map((key) => textOf(key, asNamed)))
  const next = new Set(after.foreign_keys.map((key) => textOf(key, (names) => names)))
  const here = { target_schema: before.schema, target_table: before.name }
  return {
    gone: before.foreign_keys.filter((key) => !next.has(textOf(key, asNamed))),
    added: after.foreign_keys
      .filter((key) => !old.has(textOf(key, (names) => names)))
      // The table still has its old name when its keys are made.
      .map((key) => (isSelf(key, before, after) ? { ...key, ...here } : key)),
  }
}

function moveStatements(before: TableShape, after: DesiredTable): string[] {
  const statements: string[] = []
  if (before.schema !== after.schema)
    statements.push(
      `alter table ${qualified(before.schema, before.name)} set schema ${ident(after.schema)}`,
    )
  if (before.name !== after.name)
    statements.push(
      `alter table ${qualified(after.schema, before.name)} rename to ${ident(after.name)}`,
    )
  return statements
}
