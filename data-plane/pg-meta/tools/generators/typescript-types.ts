import { plainType, type Facts, type RelationFact } from './facts.ts'
import { quoted, type Shape } from './typescript-print.ts'

const numbers = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'])
const strings = new Set(
  'bytea bpchar varchar date text citext time timetz timestamp timestamptz interval uuid vector'.split(
    ' ',
  ),
)

export const at = (...path: string[]) =>
  `Database${path.map((part) => `[${quoted(part)}]`).join('')}`

/** How the API gives values of a type to a TypeScript program. */
export function typescriptOf(facts: Facts, id: number): string {
  const type = plainType(facts, id)
  if (!type) return 'unknown'
  if (type.element !== null) {
    const element = typescriptOf(facts, type.element)
    return element.includes(' ') && !element.startsWith('Database')
      ? `(${element})[]`
      : `${element}[]`
  }
  const { name, schema } = type
  if (type.kind === 'e')
    return facts.schemas.includes(schema)
      ? at(schema, 'Enums', name)
      : type.enums.map(quoted).join(' | ') || 'never'
  if (type.relation !== null) {
    if (!facts.schemas.includes(schema)) return 'unknown'
    return type.relation_kind === 'c'
      ? at(schema, 'CompositeTypes', name)
      : at(schema, isTable(type.relation_kind) ? 'Tables' : 'Views', name, 'Row')
  }
  if (schema !== 'pg_catalog' && name !== 'citext' && name !== 'vector') return 'unknown'
  if (name === 'bool') return 'boolean'
  if (numbers.has(name)) return 'number'
  if (strings.has(name)) return 'string'
  if (name === 'json' || name === 'jsonb') return 'Json'
  if (name === 'void') return 'undefined'
  if (name === 'record') return 'Record<string, unknown>'
  return 'unknown'
}

const isTable = (kind: string | null) => kind === 'r' || kind === 'p' || kind === 'f'

/** What may be anything may be null. */
export const orNull = (type: string): Shape =>
  type === 'unknown' ? type : { union: [type, 'null'] }

/** The row of a relation: what a program reads. */
export const rowOf = (facts: Facts, relation: RelationFact): (readonly [string, Shape])[] =>
  relation.columns
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map((column) => {
      const type = typescriptOf(facts, column.type)
      return [column.name, column.is_nullable ? orNull(type) : type] as const
    })
