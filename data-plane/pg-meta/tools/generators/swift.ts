import { byName, plainType, type ColumnFact, type Facts, type RelationFact } from './facts.ts'
import { camelCase, distinct, pascalCase } from './names.ts'

const plain: Record<string, string> = {
  bool: 'Bool',
  int2: 'Int16',
  int4: 'Int32',
  int8: 'Int64',
  float4: 'Float',
  float8: 'Double',
  numeric: 'Decimal',
  uuid: 'UUID',
  json: 'AnyJSON',
  jsonb: 'AnyJSON',
  void: 'Void',
  record: 'JSONObject',
  ...Object.fromEntries(
    'bytea bpchar varchar date text citext time timetz timestamp timestamptz interval vector'
      .split(' ')
      .map((name) => [name, 'String']),
  ),
}

const keywords = new Set(
  (
    'associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private ' +
    'precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer ' +
    'do else fallthrough for guard if in repeat return throw switch where while any as await false is nil self super throws ' +
    'true try'
  ).split(' '),
)
const word = (name: string) => (keywords.has(name) ? `\`${name}\`` : name)

export type Access = 'internal' | 'public' | 'private' | 'package'

/** Structs and enums for Swift, one namespace for each schema. */
export function swift(facts: Facts, access: Access): string {
  const namespaces = facts.schemas.map((schema) => namespace(facts, schema, access))
  return ['import Foundation\nimport Supabase\n', ...namespaces].join('\n')
}

function swiftType(facts: Facts, id: number, schema: string): string {
  const type = plainType(facts, id)
  if (!type) return 'AnyJSON'
  if (type.element !== null) return `[${swiftType(facts, type.element, schema)}]`
  const known = facts.schemas.includes(type.schema)
  const prefix = type.schema === schema ? '' : `${pascalCase(type.schema)}Schema.`
  if (type.kind === 'e') return known ? `${prefix}${pascalCase(type.name)}` : 'String'
  if (type.relation !== null && known)
    return `${prefix}${pascalCase(type.name)}${type.relation_kind === 'c' ? '' : 'Select'}`
  return plain[type.name] ?? 'AnyJSON'
}

type Property = { name: string; key: string; type: string }

function struct(
  access: Access,
  name: string,
  properties: readonly Property[],
  identity?: Property,
): string[] {
  const conforms = ['Codable', 'Hashable', 'Sendable', ...(identity ? ['Identifiable'] : [])]
  const keys = properties.map(
    ({ name: called, key }) => `      case ${called} = ${JSON.stringify(key)}`,
  )
  return [
    `  ${access} struct ${name}: ${conforms.join(', ')} {`,
    ...(identity && identity.name !== 'id'
      ? [`    ${access} var id: ${identity.type} { ${identity.name} }`]
      : []),
    ...properties.map(({ name: called, type }) => `    ${access} let ${called}: ${type}`),
    ...(keys.length > 0
      ? [`    ${access} enum CodingKeys: String, CodingKey {`, ...keys, '    }']
      : []),
    '  }',
  ]
}

function namespace(facts: Facts, schema: string, access: Access): string {
  const all = [...facts.types.values()].filter((type) => type.schema === schema).toSorted(byName)
  const enums = all
    .filter(({ kind }) => kind === 'e')
    .flatMap(({ name, enums: values }) => {
      const cases = distinct(values.map(camelCase))
      return [
        `  ${access} enum ${pascalCase(name)}: String, Codable, Hashable, Sendable {`,
        ...values.map((value, i) => `    case ${word(cases[i] ?? '')} = ${JSON.stringify(value)}`),
        '  }',
      ]
    })
  const relations = facts.relations.filter((one) => one.schema === schema).toSorted(byName)
  const isTable = ({ kind }: RelationFact) => kind === 'table' || kind === 'foreign_table'
  const optional = {
    Select: ({ is_nullable }: ColumnFact) => is_nullable,
    Insert: (one: ColumnFact) =>
      one.is_nullable || one.has_default || one.is_identity || one.is_always,
    Update: () => true,
  }
  const structOf = (relation: RelationFact, operation: keyof typeof optional) => {
    const columns = relation.columns.toSorted(byName)
    const names = distinct(columns.map(({ name }) => camelCase(name)))
    const properties = columns.map((column, index) => ({
      name: word(names[index] ?? ''),
      key: column.name,
      type: `${swiftType(facts, column.type, schema)}${optional[operation](column) ? '?' : ''}`,
    }))
    const identity = properties[columns.findIndex(({ is_identity }) => is_identity)]
    return struct(access, `${pascalCase(relation.name)}${operation}`, properties, identity)
  }
  const lines = [
    ...enums,
    ...relations
      .filter(isTable)
      .flatMap((table) => [
        ...structOf(table, 'Select'),
        ...structOf(table, 'Insert'),
        ...structOf(table, 'Update'),
      ]),
    ...relations.filter((one) => !isTable(one)).flatMap((view) => structOf(view, 'Select')),
    ...all
      .filter((type) => type.relation_kind === 'c')
      .flatMap(({ name, attributes }) => {
        const names = distinct(attributes.map((one) => pascalCase(one.name)))
        const properties = attributes.map((one, index) => ({
          name: names[index] ?? '',
          key: one.name,
          type: plainType(facts, one.type)?.element
            ? 'AnyJSON'
            : swiftType(facts, one.type, schema),
        }))
        return struct(access, pascalCase(name), properties)
      }),
  ]
  return [`${access} enum ${pascalCase(schema)}Schema {`, ...lines, '}'].join('\n')
}
