import { objectName } from '../object-name.ts'
import { ident, qualified } from '../sql-text.ts'
import type { ForeignKeyShape } from './table-shape.ts'

const list = (columns: readonly string[]) => columns.map(ident).join(', ')

export function foreignKeySql(key: ForeignKeyShape, { named }: { named: boolean }): string {
  const target = qualified(key.target_schema, key.target_table)
  const name = named ? `constraint ${ident(key.name)} ` : ''
  const parts = [
    `${name}foreign key (${list(key.columns)}) references ${target} (${list(key.target_columns)})`,
  ]
  if (key.on_update !== 'NO ACTION') parts.push(`on update ${key.on_update.toLowerCase()}`)
  if (key.on_delete !== 'NO ACTION') parts.push(`on delete ${key.on_delete.toLowerCase()}`)
  return parts.join(' ')
}

/** Keys without a name get the one that Postgres would give them. */
export function namedKeys(
  table: string,
  keys: readonly ForeignKeyShape[],
  inUse: ReadonlySet<string>,
): ForeignKeyShape[] {
  const taken = new Set([...inUse, ...keys.map(({ name }) => name)])
  return keys.map((key) => {
    if (key.name !== '') return key
    const name = objectName(table, key.columns, 'fkey', taken)
    taken.add(name)
    return { ...key, name }
  })
}

/** `varchar(20)` and `text` compare, `int8` and `uuid` do not: by what Postgres has an equality for. */
const families: readonly (readonly string[])[] = [
  ['int2', 'int4', 'int8', 'smallint', 'integer', 'bigint', 'numeric', 'decimal'],
  ['text', 'varchar', 'character varying', 'bpchar', 'char', 'character', 'name'],
  ['float4', 'float8', 'real', 'double precision'],
  ['timestamp', 'timestamp without time zone', 'timestamptz', 'timestamp with time zone', 'date'],
  ['time', 'time without time zone'],
  ['timetz', 'time with time zone'],
  ['bool', 'boolean'],
  ['bit', 'varbit', 'bit varying'],
]
const bare = (type: string) => type.replace(/\s*\([^)]*\)/, '').trim()

/** Why a key from one type to the other would be refused or slow; undefined when the types fit. */
export function typeMismatch(from: string, to: string): string | undefined {
  const [a, b] = [bare(from), bare(to)]
  if (a === b) return undefined
  const family = families.find((names) => names.includes(a))
  if (family?.includes(b)) {
    const whole = ['int2', 'int4', 'int8', 'smallint', 'integer', 'bigint']
    const mixed = whole.includes(a) !== whole.includes(b)
    return mixed && family === families[0] ? `${a} and ${b} compare, but slowly` : undefined
  }
  return `${a} cannot point to ${b}: make both the same type`
}
