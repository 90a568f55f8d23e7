import { GraphQLEnumType } from 'graphql'
import type { EnumDetails } from '../details.ts'
import { describe, directivesOf } from './directives.ts'
import { isName, type Names, type Spelling } from '../names.ts'

/** Of the filters of a type: of values, of lists, and of those that cannot be sorted. */
export const filterNames = (type: string): string[] =>
  ['Filter', 'ListFilter', 'Filter_1', 'ListFilter_1'].map((ending) => type + ending)

/** GraphQL's own words for values, which no value of an enum can be called. */
const words = new Set(['true', 'false', 'null'])

/**
 * Makes the type of an enum at its first use. Undefined where a label is no GraphQL name and the enum's comment maps it
 * to none: leaving the label out would make rows that hold it unreadable, so the column is opaque then.
 */
export function createEnums(enums: readonly EnumDetails[], names: Names, spelling: Spelling) {
  const details = new Map(enums.map((one) => [one.id, one]))
  const made = new Map<string, GraphQLEnumType | undefined>()

  function make({ name, comment, labels }: EnumDetails): GraphQLEnumType | undefined {
    const { mappings, name: given } = directivesOf(comment)
    const nameOf = (label: string) =>
      (Object.hasOwn(mappings, label) ? mappings[label] : undefined) ?? label
    const pairs = (labels ?? []).map((label) => [nameOf(label), label] as const)
    const spelled = pairs.map(([value]) => value)
    const usable = spelled.every((value) => isName(value) && !words.has(value))
    const typeName = given ?? spelling.type(name)
    const isDistinct = new Set(spelled).size === spelled.length
    if (!usable || !isDistinct || pairs.length === 0) return undefined
    if (!names.take(typeName, ...filterNames(typeName))) return undefined
    return new GraphQLEnumType({
      name: typeName,
      description: describe(comment) ?? null,
      values: Object.fromEntries(pairs.map(([value, label]) => [value, { value: label }])),
    })
  }

  return (id: string): GraphQLEnumType | undefined => {
    const known = details.get(id)
    if (!made.has(id) && known) made.set(id, make(known))
    return made.get(id)
  }
}
