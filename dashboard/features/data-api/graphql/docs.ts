import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
  getNamedType,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql'

/** A field, an argument or a value as the documentation shows it. */
export type DocEntry = {
  name: string
  description: string
  /** As it is written: `[Book!]!`; undefined for the values of an enum. */
  type: string | undefined
  /** Where a click on the type leads. */
  leadsTo: string | undefined
  args: readonly { name: string; type: string; leadsTo: string; description: string }[]
  deprecated: string | undefined
}
export type TypeDoc = { name: string; kind: string; description: string; entries: DocEntry[] }

const nameOf = (type: GraphQLType): string => getNamedType(type).name

const argOf = ({ name, type, description }: GraphQLArgument) => ({
  name,
  type: String(type),
  leadsTo: nameOf(type),
  description: description ?? '',
})

function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'Type'
  if (isInputObjectType(type)) return 'Input'
  if (isEnumType(type)) return 'Enum'
  if (isInterfaceType(type)) return 'Interface'
  return isUnionType(type) ? 'Union' : 'Scalar'
}

/** What a schema says of one of its types; undefined when it has none of that name. */
export function typeDoc(schema: GraphQLSchema, name: string): TypeDoc | undefined {
  const type = schema.getType(name)
  if (!type) return undefined
  return { name, kind: kindOf(type), description: type.description ?? '', entries: entriesOf(type) }
}

function entriesOf(type: GraphQLNamedType): DocEntry[] {
  if (isEnumType(type))
    return type.getValues().map(({ name, description, deprecationReason }) => ({
      name,
      description: description ?? '',
      type: undefined,
      leadsTo: undefined,
      args: [],
      deprecated: deprecationReason ?? undefined,
    }))
  if (isUnionType(type))
    return type.getTypes().map(({ name, description }) => ({
      name,
      description: description ?? '',
      type: name,
      leadsTo: name,
      args: [],
      deprecated: undefined,
    }))
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
  return Object.values(type.getFields()).map((field) => ({
    name: field.name,
    description: field.description ?? '',
    type: String(field.type),
    leadsTo: nameOf(field.type),
    args: 'args' in field ? field.args.map(argOf) : [],
    deprecated: field.deprecationReason ?? undefined,
  }))
}

/** Where reading begins: what can be asked and changed. */
export const rootsOf = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType()?.name, schema.getMutationType()?.name].filter((name) => name !== undefined)

/** Types whose name has the words in it, without those of introspection itself; at most so many. */
export function typesNamed(schema: GraphQLSchema, words: string, max = 100): GraphQLNamedType[] {
  const needle = words.trim().toLowerCase()
  const found: GraphQLNamedType[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || !type.name.toLowerCase().includes(needle)) continue
    if (found.push(type) === max) break
  }
  return found
}
