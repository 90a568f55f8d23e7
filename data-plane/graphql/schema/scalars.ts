import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
  type ValueNode,
} from 'graphql'

type Reader = (value: unknown) => string | undefined

const isText: Reader = (value) => (typeof value === 'string' ? value : undefined)

/** Numbers that JavaScript cannot hold travel as text; their spelling in a document is taken letter by letter. */
const integer: Reader = (value) => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' && /^[+-]?\d+$/.test(value) ? value : undefined
}
const decimal: Reader = (value) => {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  const spelled = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|infinity|nan)$/i
  return typeof value === 'string' && spelled.test(value) ? value : undefined
}
/** A text is JSON already; what a variable holds as an object becomes some. */
const json: Reader = (value) =>
  typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined)
const anything: Reader = (value) =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined

function scalar(name: string, description: string, read: Reader): GraphQLScalarType {
  const parse = (value: unknown, node?: ValueNode) => {
    const found = read(value)
    if (found !== undefined) return found
    throw new GraphQLError(`This is no value of the type ${name}`, node ? { nodes: node } : {})
  }
  return new GraphQLScalarType<string, unknown>({
    name,
    description,
    // The database has made it, in the way that the type describes.
    serialize: (value) => value,
    parseValue: (value) => parse(value),
    parseLiteral: (node, variables) => {
      const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT
      const spelled = isNumber && (read === integer || read === decimal)
      return parse(spelled ? node.value : valueFromASTUntyped(node, variables), node)
    },
  })
}

const sorted = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is'] as const
const compared = ['eq', 'is'] as const
const texts = [...sorted, 'like', 'ilike', 'startsWith', 'regex', 'iregex'] as const
/** Of lists. */
export const listOperators = ['contains', 'containedBy', 'overlaps', 'eq', 'is'] as const
export type Operator = (typeof texts)[number] | (typeof listOperators)[number]

/** A scalar and what its values can be filtered by; `asText`: the answer holds the database's own spelling. */
export type Scalar = {
  type: GraphQLScalarType
  operators: readonly Operator[]
  asText: boolean
}
const of = (type: GraphQLScalarType, operators: readonly Operator[], asText: boolean): Scalar => ({
  type,
  operators,
  asText,
})

const int = of(GraphQLInt, sorted, false)
const float = of(GraphQLFloat, sorted, false)
const text = of(GraphQLString, texts, true)
const bigInt = of(scalar('BigInt', 'An integer of 64 bits, as text', integer), sorted, true)
const bigFloat = of(scalar('BigFloat', 'A number of any precision, as text', decimal), sorted, true)
const datetime = of(scalar('Datetime', 'A date with a time, as in ISO 8601', isText), sorted, false)
const time = of(scalar('Time', 'A time of the day', isText), sorted, true)
const jsonScalar = of(scalar('JSON', 'JSON as text', json), [], true)
const opaque = of(scalar('Opaque', "A value in the database's spelling", anything), compared, true)
/** Enums are compared for equality; what they are besides depends on the enum. */
export const enumOperators = ['eq', 'neq', 'in', 'is'] as const

export const cursorScalar = scalar('Cursor', 'A place in a collection', isText)

/** By the names that Postgres has for its types. */
const byType = new Map<string, Scalar>([
  ['bool', of(GraphQLBoolean, compared, false)],
  ['int2', int],
  ['int4', int],
  ['int8', bigInt],
  ['float4', float],
  ['float8', float],
  ['numeric', bigFloat],
  ['text', text],
  ['varchar', text],
  ['bpchar', text],
  ['name', text],
  ['citext', text],
  ['uuid', of(scalar('UUID', 'A universally unique identifier', isText), sorted, true)],
  ['date', of(scalar('Date', 'A date, as in ISO 8601', isText), sorted, false)],
  ['time', time],
  ['timetz', time],
  ['timestamp', datetime],
  ['timestamptz', datetime],
  ['json', jsonScalar],
  ['jsonb', jsonScalar],
])

export const scalarOf = (type: string | null): Scalar => byType.get(type ?? '') ?? opaque

/** Names that no table's type may take. */
export const scalarNames: readonly string[] = [
  ...[...byType.values()].map(({ type }) => type.name),
  opaque.type.name,
  cursorScalar.name,
  'ID',
]
