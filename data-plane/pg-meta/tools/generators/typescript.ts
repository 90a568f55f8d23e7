import { byName, type Facts, type RelationFact, type TypeFact } from './facts.ts'
import { computedOf, functionsOf, rowArgument } from './typescript-functions.ts'
import { keyOf, member, quoted, type Shape } from './typescript-print.ts'
import { orNull, rowOf, typescriptOf } from './typescript-types.ts'

/** Shorthands over `Database`, of the default schema or of one that is named: `Tables<"books">`, `Tables<{ schema: "app" }, "books">`. */
const shorthand = (name: string, kinds: readonly string[], part: string | undefined): string => {
  const of = (schema: string) => kinds.map((kind) => `${schema}["${kind}"]`).join(' & ')
  const all = kinds.length > 1 ? (schema: string) => `(${of(schema)})` : of
  const named = 'Schemas[NameOrSchema["schema"]]'
  const pick = (from: string, key: string) =>
    part === undefined
      ? `${all(from)}[${key}]`
      : `${all(from)}[${key}] extends { ${part}: infer Found }\n    ? Found\n    : never`
  return `export type ${name}<
  NameOrSchema extends keyof ${all('DefaultSchema')} | { schema: keyof Schemas },
  Name extends NameOrSchema extends { schema: keyof Schemas }
    ? keyof ${all(named)}
    : never = never,
> = NameOrSchema extends { schema: keyof Schemas }
  ? ${pick(named, 'Name')}
  : NameOrSchema extends keyof ${all('DefaultSchema')}
  ? ${pick('DefaultSchema', 'NameOrSchema')}
  : never
`
}

const helpers = [
  `type Schemas = Omit<Database, "__InternalSupabase">

type DefaultSchema = Schemas[Extract<keyof Database, "public">]
`,
  shorthand('Tables', ['Tables', 'Views'], 'Row'),
  shorthand('TablesInsert', ['Tables'], 'Insert'),
  shorthand('TablesUpdate', ['Tables'], 'Update'),
  shorthand('Enums', ['Enums'], undefined),
  shorthand('CompositeTypes', ['CompositeTypes'], undefined),
].join('\n')

type Options = { oneToOne: boolean; postgrestVersion: string | undefined }

const json = `export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]
`

/**
 * The types of a database for TypeScript, in the form that supabase-js reads: `Database`, shorthands such as
 * `Tables<"books">`, and the values of enums as `Constants`.
 */
export function typescript(facts: Facts, options: Options): string {
  const { schemas } = facts
  const version = options.postgrestVersion
  const database: Shape = {
    object: [
      ...(version === undefined
        ? []
        : [
            [
              '__InternalSupabase',
              { object: [['PostgrestVersion', quoted(version)]], hard: true },
            ] as const,
          ]),
      ...schemas.map((schema) => [keyOf(schema), schemaShape(facts, schema, options)] as const),
    ],
    hard: true,
  }
  const constants = schemas.map((schema) => {
    const enums = enumsOf(facts, schema).map(
      (type) => [keyOf(type.name), { tuple: type.enums.map(quoted) }] as const,
    )
    return [
      keyOf(schema),
      { object: [['Enums', { object: enums, hard: true }]], hard: true },
    ] as const
  })
  return [
    json,
    `${member('export type Database', database, 0).replace(': ', ' = ')}\n`,
    helpers,
    `${valueOf(member('export const Constants', { object: constants, hard: true }, 0))} as const\n`,
  ].join('\n')
}

/** The same shape as a value: its members end with commas. */
const valueOf = (type: string) =>
  type
    .replace(': ', ' = ')
    .split('\n')
    .map((line, index, all) =>
      index === 0 || index === all.length - 1 || /[{[,]$/.test(line) ? line : `${line},`,
    )
    .join('\n')

const nothing: Shape = { object: [['[_ in never]', 'never']], hard: true }
const some = (object: readonly (readonly [string, Shape])[]): Shape =>
  object.length === 0 ? nothing : { object, hard: true }

const enumsOf = ({ types }: Facts, schema: string): TypeFact[] =>
  [...types.values()].filter((type) => type.kind === 'e' && type.schema === schema).toSorted(byName)

function schemaShape(facts: Facts, schema: string, options: Options): Shape {
  const relations = facts.relations.filter((one) => one.schema === schema).toSorted(byName)
  const isTable = ({ kind }: RelationFact) => kind === 'table' || kind === 'foreign_table'
  const shown = (of: readonly RelationFact[]) =>
    some(of.map((one) => [keyOf(one.name), relationShape(facts, one, options)] as const))
  const composites = [...facts.types.values()]
    .filter((type) => type.relation_kind === 'c' && type.schema === schema)
    .toSorted(byName)
  return {
    object: [
      ['Tables', shown(relations.filter(isTable))],
      ['Views', shown(relations.filter((one) => !isTable(one)))],
      ['Functions', some(functionsOf(facts, schema))],
      [
        'Enums',
        some(
          enumsOf(facts, schema).map(
            (type) => [keyOf(type.name), { union: type.enums.map(quoted) }] as const,
          ),
        ),
      ],
      [
        'CompositeTypes',
        some(
          composites.map(({ name, attributes }) => [
            keyOf(name),
            {
              object: attributes.map(
                (attribute) =>
                  [keyOf(attribute.name), orNull(typescriptOf(facts, attribute.type))] as const,
              ),
              hard: true,
            },
          ]),
        ),
      ],
    ],
    hard: true,
  }
}

function relationShape(facts: Facts, relation: RelationFact, { oneToOne }: Options): Shape {
  const columns = relation.columns.toSorted(byName)
  const computed = facts.functions
    .filter((one) => one.schema === relation.schema && rowArgument(facts, one) === relation.id)
    .map((one) => [keyOf(one.name), computedOf(facts, one)] as const)
  const writable = (update: boolean): Shape => ({
    object: columns.map((column) => {
      if (column.is_always || !column.is_updatable) return [`${keyOf(column.name)}?`, 'never']
      const type = typescriptOf(facts, column.type)
      const optional = update || column.is_nullable || column.has_default || column.is_identity
      const key = `${keyOf(column.name)}${optional ? '?' : ''}`
      return [key, column.is_nullable ? orNull(type) : type]
    }),
    hard: true,
  })
  const row = rowOf(facts, relation).map(([name, of]) => [keyOf(name), of] as const)
  return {
    object: [
      ['Row', { object: [...row, ...computed], hard: true }],
      ...(relation.is_updatable
        ? [['Insert', writable(false)] as const, ['Update', writable(true)] as const]
        : []),
      ['Relationships', relationshipsShape(relation, oneToOne)],
    ],
    hard: true,
  }
}

/** Those within the schema: the API embeds no other ones. */
function relationshipsShape(relation: RelationFact, oneToOne: boolean): Shape {
  const own = relation.relationships
    .filter(({ schema }) => schema === relation.schema)
    .toSorted(
      (a, b) =>
        byName(a, b) ||
        a.relation.localeCompare(b.relation, 'en') ||
        JSON.stringify(a.referenced_columns).localeCompare(
          JSON.stringify(b.referenced_columns),
          'en',
        ),
    )
  return {
    tuple: own.map((one) => ({
      object: [
        ['foreignKeyName', quoted(one.name)],
        ['columns', { tuple: one.columns.map(quoted) }],
        ...(oneToOne ? [['isOneToOne', String(one.is_one_to_one)] as const] : []),
        ['referencedRelation', quoted(one.relation)],
        ['referencedColumns', { tuple: one.referenced_columns.map(quoted) }],
      ],
      hard: true,
    })),
  }
}
