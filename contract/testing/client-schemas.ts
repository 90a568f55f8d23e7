import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import type { JsonSchema } from './fits.ts'

/** One call that the public command line client knows, and the answer without which it fails. */
export type ClientCall = {
  id: string
  method: string
  path: string
  response: { kind: 'json' | 'text' | 'void' }
  answer: JsonSchema
}
type Entry = Omit<ClientCall, 'answer'> & { outputSchema: Written }
type Scope = Record<string, unknown>

/**
 * The calls of the public command line client, with the schemas that it decodes answers by. They are text of its program: one
 * function that builds them with constructors, whose names the packer has shortened. Two schemas that every version has
 * say which name is which; the function is then run with constructors of ours, which write JSON Schema.
 */
export function clientCalls(program: string): ClientCall[] {
  const bytes = readFileSync(program)
  const entry = bytes.indexOf(':{id:"v1')
  const opens = '=I(()=>{'
  const begin = bytes.lastIndexOf(opens, entry)
  const builder = bytes.toString(
    'utf8',
    begin + opens.length,
    bytes.indexOf('}});', Math.max(entry, 0)) + 1,
  )
  const table = /([\w$]+)=\{v1\w+:\{id:"v1/.exec(builder)?.[1]
  if (begin < 0 || !table) throw new Error('The program has no table of calls')
  const written = new Proxy<Scope>(
    { ...constructors(builder), RegExp, globalThis },
    {
      has: (_, name) => typeof name === 'string',
      get: (known, name) => (typeof name === 'string' ? (known[name] ?? unknown) : undefined),
    },
  )
  new Script(`with (written) { ${builder} }`).runInContext(createContext({ written }))
  return Object.values(written[table] as Record<string, Entry>).map(
    ({ id, method, path, response, outputSchema }) => ({
      id,
      method,
      path,
      response,
      answer: outputSchema.schema,
    }),
  )
}

/** A schema, or a limit of one, while it is written. */
class Written {
  readonly schema: JsonSchema
  readonly optional: boolean
  /** What a constructor without a name was given: the one value that is taken, or the bound of a limit. */
  readonly given: unknown
  constructor(schema: JsonSchema, optional = false, given?: unknown) {
    this.schema = schema
    this.optional = optional
    this.given = given
  }
  annotate({ format, expected }: { format?: string; expected?: string }): Written {
    if (expected && this.given !== undefined) return new Written(limit(expected, this.given))
    return format ? new Written({ ...this.schema, format }, this.optional) : this
  }
  check({ schema }: Written): Written {
    return new Written({ ...this.schema, ...schema }, this.optional)
  }
}

/** The client's own words for what it expects say what the limit is. */
function limit(expected: string, given: unknown): JsonSchema {
  if (given instanceof RegExp) return { pattern: given.source }
  if (expected === 'an integer') return { type: 'integer' }
  const bound = Number(given)
  const keywords: [RegExp, JsonSchema][] = [
    [/^a value greater than or equal to/, { minimum: bound }],
    [/^a value less than or equal to/, { maximum: bound }],
    [/^a value greater than/, { exclusiveMinimum: bound }],
    [/^a value with a length of at least/, { minLength: bound, minItems: bound }],
    [/^a value with a length of at most/, { maxLength: bound, maxItems: bound }],
    [/^a string with at least/, { minLength: bound }],
    [/^a string with at most/, { maxLength: bound }],
    [/^a finite number/, {}],
  ]
  const found = keywords.find(([words]) => words.test(expected))
  if (!found) throw new Error(`An unknown limit: ${expected}`)
  return found[1]
}

/** A constructor, or a schema, that has no name here: a list of values, one value, a limit, or whatever there is. */
const unknown = Object.assign(
  (given: unknown = null) =>
    Array.isArray(given)
      ? new Written({ enum: given })
      : new Written({ const: given as string }, false, given),
  { schema: {}, optional: false, annotate: () => new Written({}), check: () => new Written({}) },
)

function struct(fields: Record<string, Written>): Written {
  const all = Object.entries(fields)
  return new Written({
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    required: all.filter(([, { optional }]) => !optional).map(([name]) => name),
  })
}

/** What each name of the program stands for, by schemas of which the contents are known. */
function constructors(builder: string): Scope {
  const name = String.raw`([\w$]+)`
  const member = new RegExp(
    String.raw`=${name}\(\{user_id:${name},user_name:\2,email:${name}\(\2\),role_name:\3\(\2\),mfa_enabled:${name},avatar_url:${name}\(\[\2,${name}\]\)\}\)`,
  ).exec(builder)
  const json = new RegExp(
    String.raw`=${name}\(\[\1\(\[${name},${name}\.check\(${name}\(\)[^\]]*\]\),${name}\(${name}\(\(\)=>`,
  ).exec(builder)
  const record = /,([\w$]+)\([\w$]+,([\w$]+)\(\(\)=>[\w$]+\)\)\]\)\.annotate/.exec(builder)
  const declared = /([\w$]+)=([\w$]+)\(\(\w\)=>typeof \w==="string"\)/.exec(builder)
  const rest = /([\w$]+)\([\w$]+\((?:[^[\]]|\[[^[\]]*\])*?\),\[[\w$]+\(/.exec(builder)
  if (!member || !json || !record || !declared) throw new Error('The program names them anew')
  const [, structName = '', string = '', optional = '', boolean = '', union = '', none = ''] =
    member
  const [, , , number = '', , list = '', later = ''] = json
  const literal = (type: string) => new Written({ type })
  return {
    [structName]: struct,
    [string]: literal('string'),
    [boolean]: literal('boolean'),
    [number]: literal('number'),
    [none]: literal('null'),
    [optional]: ({ schema }: Written) => new Written(schema, true),
    [union]: (several: Written[]) => new Written({ anyOf: several.map(({ schema }) => schema) }),
    [list]: ({ schema }: Written) => new Written({ type: 'array', items: schema }),
    [record[1] ?? '']: (_: Written, { schema }: Written) =>
      new Written({ type: 'object', additionalProperties: schema }),
    [later]: () => new Written({}),
    [declared[2] ?? '']: () => literal('string'),
    [rest?.[1] ?? '']: (first: Written) => first,
  }
}
