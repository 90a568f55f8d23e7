/** What of JSON Schema the contract and the public client use. */
export type JsonSchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  not?: JsonSchema
  $ref?: string
  $defs?: Record<string, JsonSchema>
}

/**
 * Why a value of `ours` may be none of `theirs`: a line for each place, empty where each value of ours is one of theirs. What
 * theirs does not name may be there. Where theirs takes some words and, for the future, any other, ours has to keep to the words.
 */
export function misfits(ours: JsonSchema, theirs: JsonSchema): string[] {
  const definitions = ours.$defs ?? {}
  return compare(ours, theirs, '')

  function compare(given: JsonSchema, wanted: JsonSchema, at: string): string[] {
    const mine = given.$ref ? (definitions[given.$ref.replace('#/$defs/', '')] ?? given) : given
    const choices = Array.isArray(mine.type)
      ? mine.type.map((type) => ({ ...mine, type }))
      : (mine.anyOf ?? mine.oneOf)
    if (choices) return choices.flatMap((choice) => compare(choice, wanted, at))
    // What can be no value at all is one of theirs.
    if (mine.not) return []
    const theirChoices = flat(wanted)
    if (theirChoices.length === 1) return compareOne(mine, theirChoices[0] ?? {}, at)
    const words = theirChoices.some((choice) => choice.enum ?? choice.const)
    const strict = words ? theirChoices.filter((choice) => !isAnyString(choice)) : theirChoices
    // Values of a list go one by one: each is to be one of the words of some choice.
    const values = mine.enum ?? (mine.const === undefined ? undefined : [mine.const])
    if (values && values.length > 1)
      return values.flatMap((value) => compare({ const: value }, wanted, at))
    const tried = strict.map((choice) => compareOne(mine, choice, at))
    // The choice of the same type says best what is amiss.
    const alike = tried.filter((_, index) => strict[index]?.type === mine.type)
    return tried.find((wrong) => wrong.length === 0) ?? alike[0] ?? tried[0] ?? []
  }

  function compareOne(mine: JsonSchema, wanted: JsonSchema, at: string): string[] {
    if (Object.keys(wanted).length === 0) return []
    const wrong = (what: string) => [`${at || 'the answer'}: ${what}`]
    const values = mine.enum ?? (mine.const === undefined ? undefined : [mine.const])
    const words = wanted.enum ?? (wanted.const === undefined ? undefined : [wanted.const])
    if (words) {
      const strange = (values ?? ['anything']).filter((value) => !words.includes(value))
      return strange.length === 0
        ? []
        : wrong(`${strange.join(', ')} is none of ${words.join(', ')}`)
    }
    const type = mine.type ?? (values ? typeOf(values[0]) : undefined)
    const fits =
      type === wanted.type ||
      (type === 'integer' && wanted.type === 'number') ||
      (wanted.type === 'integer' && (values ?? ['none']).every(Number.isInteger))
    if (!fits) return wrong(`${String(type ?? 'anything')} is no ${String(wanted.type)}`)
    if (type === 'array') return compare(mine.items ?? {}, wanted.items ?? {}, `${at}[]`)
    if (type === 'object') return compareObjects(mine, wanted, at)
    if (values) return []
    return [
      ...(wanted.pattern && !mine.pattern && !mine.format
        ? wrong(`has no form ${wanted.pattern}`)
        : []),
      ...(wanted.minLength && !(mine.minLength ?? mine.pattern ?? mine.format)
        ? wrong('may be shorter')
        : []),
    ]
  }

  function compareObjects(mine: JsonSchema, wanted: JsonSchema, at: string): string[] {
    const own = mine.properties ?? {}
    const rest =
      typeof mine.additionalProperties === 'object' ? mine.additionalProperties : undefined
    const missing = (wanted.required ?? []).filter((name) => !mine.required?.includes(name))
    const named = Object.entries(wanted.properties ?? {}).flatMap(([name, schema]) => {
      const found = own[name] ?? rest
      return found && !missing.includes(name) ? compare(found, schema, `${at}.${name}`) : []
    })
    const wantedRest = wanted.additionalProperties
    const others =
      typeof wantedRest === 'object'
        ? [...Object.values(own), ...(rest ? [rest] : [])].flatMap((schema) =>
            compare(schema, wantedRest, `${at}.*`),
          )
        : []
    return [...missing.map((name) => `${at}.${name}: may be missing`), ...named, ...others]
  }
}

const isAnyString = ({ type, pattern, minLength }: JsonSchema) =>
  type === 'string' && !pattern && !minLength

const flat = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf)?.flatMap(flat) ?? [schema]

const typeOf = (value: unknown) => (value === null ? 'null' : typeof value)
