import { byName, plainType, type ColumnFact, type Facts } from './facts.ts'
import { distinct, pascalCase } from './names.ts'

const plain: Record<string, string> = {
  bool: 'bool',
  int2: 'int16',
  int4: 'int32',
  int8: 'int64',
  float4: 'float32',
  float8: 'float64',
  numeric: 'float64',
  bytea: '[]byte',
  ...Object.fromEntries(
    'bpchar varchar date text citext time timetz timestamp timestamptz interval uuid vector int4range int4multirange int8range int8multirange numrange nummultirange tsrange tsmultirange tstzrange tstzmultirange daterange datemultirange'
      .split(' ')
      .map((name) => [name, 'string']),
  ),
}

/** What can be nil by itself needs no pointer. */
const orNil = (type: string) =>
  type === 'interface{}' || type.startsWith('[]') || type.startsWith('map') ? type : `*${type}`

/** Of what may be NULL in a list it is the items that are pointers; a list is followed by a space, as programs compare it. */
function goType(facts: Facts, id: number, nullable: boolean): string {
  const type = plainType(facts, id)
  if (!type) return 'interface{}'
  if (type.element !== null) return `[]${goType(facts, type.element, nullable)} `
  const isComposite = type.relation_kind === 'c' || type.name === 'record'
  const own = type.kind === 'e' ? 'string' : plain[type.name]
  const found = own ?? (isComposite ? 'map[string]interface{}' : 'interface{}')
  return nullable ? orNil(found) : found
}

/** Of a composite type only what is plain is told. */
function goTypeWithin(facts: Facts, id: number): string {
  const type = plainType(facts, id)
  return (type?.element === null && plain[type.name]) || 'interface{}'
}

/** A struct with its fields in columns. */
function struct(name: string, fields: readonly { name: string; type: string }[]): string {
  const called = distinct(fields.map((field) => pascalCase(field.name)))
  const nameWidth = Math.max(0, ...called.map((one) => one.length))
  const typeWidth = Math.max(0, ...fields.map(({ type }) => type.length))
  const lines = fields.map((field, index) => {
    const tag = field.name.replaceAll(/["\\`]/g, (sign) => (sign === '`' ? "'" : `\\${sign}`))
    return `  ${(called[index] ?? '').padEnd(nameWidth)} ${field.type.padEnd(typeWidth)} \`json:"${tag}"\``
  })
  return `type ${name} struct {\n${lines.join('\n')}\n}`
}

/** Structs for Go: of each table what is read, inserted and updated; of views and composite types what is read. */
export function go(facts: Facts): string {
  const fieldsOf = (columns: readonly ColumnFact[], nullable: (column: ColumnFact) => boolean) =>
    columns.toSorted(byName).map((column) => {
      return { name: column.name, type: goType(facts, column.type, nullable(column)) }
    })
  const canMiss = (column: ColumnFact) =>
    column.is_nullable || column.has_default || column.is_identity || column.is_always
  const of = (kind: string) => facts.relations.filter((relation) => relation.kind === kind)
  const called = ({ schema, name }: { schema: string; name: string }) =>
    pascalCase(schema) + pascalCase(name, true)
  const composites = [...facts.types.values()].filter(
    (type) => type.relation_kind === 'c' && facts.schemas.includes(type.schema),
  )
  const structs = [
    ...of('table').flatMap((table) => [
      struct(
        `${called(table)}Select`,
        fieldsOf(table.columns, ({ is_nullable }) => is_nullable),
      ),
      struct(`${called(table)}Insert`, fieldsOf(table.columns, canMiss)),
      struct(
        `${called(table)}Update`,
        fieldsOf(table.columns, () => true),
      ),
    ]),
    ...[...of('view'), ...of('materialized_view')].map((view) =>
      struct(
        `${called(view)}Select`,
        fieldsOf(view.columns, ({ is_nullable }) => is_nullable),
      ),
    ),
    ...composites.map((type) =>
      struct(
        called(type),
        type.attributes.map(({ name, type: id }) => ({ name, type: goTypeWithin(facts, id) })),
      ),
    ),
  ]
  return ['package database', ...structs].join('\n\n')
}
