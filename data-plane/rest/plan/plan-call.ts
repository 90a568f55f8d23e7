import { decodeText, unsupported, type Body } from '../requests/body.ts'
import { badBody, Problem } from '../answers/problem.ts'
import { MissingProblem } from './resolve.ts'
import type { Argument, Fn, Schema } from '../catalog/schema.ts'
import { closest } from '../query/similar.ts'

/** A function and what it is called with. */
export type Call = {
  fn: Fn
  /** Arguments that are given, by name; empty when there are none or the body is the one unnamed argument. */
  args: readonly Argument[]
  /** JSON object of the named arguments, or the text of the unnamed one. */
  value: string | Buffer
  /** Of an array of objects the first one is it. */
  first: boolean
  unnamed: Argument | undefined
}

/** What a request offers as arguments. */
type Offer = {
  names: readonly string[]
  json: string | Buffer
  /** `json` is an array, of which the first object counts. */
  first?: boolean
  /** `json` is an array of things that are no objects, or have different keys: only an argument without a name takes it. */
  mixed?: boolean
  /** All values of each argument, where an argument can come several times. */
  repeated?: ReadonlyMap<string, readonly string[]>
  /** Types that a function's only, unnamed argument may have to take the whole body. */
  whole: readonly string[]
  text: string | Buffer
}

/** Arguments of a GET come as parameters. */
export function offerOfQuery(args: readonly (readonly [string, string])[]): Offer {
  const repeated = new Map<string, string[]>()
  for (const [name, value] of args) {
    const values = repeated.get(name)
    if (values) values.push(value)
    else repeated.set(name, [value])
  }
  return { names: [...repeated.keys()], json: '{}', repeated, whole: [], text: '' }
}

/**
 * What a parameter gives an argument: all its values where the argument takes any number, else the last one. A single
 * one in braces is a list already.
 */
function valueOf({ variadic, type }: Argument, values: readonly string[]): unknown {
  const last = values.at(-1)
  if (values.length > 1 && (variadic || type.endsWith('[]'))) return values
  return variadic && last !== undefined && !last.startsWith('{') ? [last] : last
}

function jsonFor(args: readonly Argument[], { json, repeated }: Offer): string | Buffer {
  if (!repeated) return json
  const values = args.map((arg) => [arg.name, valueOf(arg, repeated.get(arg.name) ?? [])] as const)
  return JSON.stringify(Object.fromEntries(values))
}

/** Arguments of a POST. @throws Problem PGRST102, 415 */
export function offerOfBody(
  body: Body,
  contentType: string | undefined,
  columns?: readonly string[],
): Offer {
  const whole = ['json', 'jsonb']
  switch (body.kind) {
    case 'refused':
      throw body.problem
    case 'nothing':
      return { names: [], json: '{}', whole, text: '{}' }
    case 'json': {
      const { bytes, shape } = body
      const isRow = shape.form === 'object' || (shape.length > 0 && !shape.mixed)
      if (shape.form === 'scalar' || !isRow)
        return {
          names: [],
          json: '{}',
          mixed: shape.form !== 'scalar' && shape.mixed,
          whole,
          text: bytes,
        }
      const mixed = !columns && !shape.uniform
      const names = columns ?? shape.keys
      // A key without a name stands for an argument without one, which may be a text.
      const types = names.length === 1 && names[0] === '' ? [...whole, 'text'] : whole
      return { names, json: bytes, first: shape.form === 'array', mixed, whole: types, text: bytes }
    }
    case 'form':
      return offerOfQuery(body.fields)
    case 'other':
      return offerOfText(body.bytes, body.type, contentType)
    case 'csv':
      throw unsupported(contentType)
    default:
      return body satisfies never
  }
}

function offerOfText(bytes: Buffer, type: string, contentType: string | undefined): Offer {
  const only = (name: string, text: string) => ({ names: [], json: '{}', whole: [name], text })
  switch (type) {
    case 'text/plain':
      return only('text', decodeText(bytes))
    case 'text/xml':
    case 'application/xml':
      return only('xml', decodeText(bytes))
    case 'application/octet-stream':
      return only('bytea', String.raw`\x${bytes.toString('hex')}`)
    default:
      throw unsupported(contentType)
  }
}

/** Chooses among the functions of a name by the names of the arguments. @throws Problem PGRST202, PGRST203 */
export function planCall(schema: Schema, profile: string, name: string, offer: Offer): Call {
  const overloads = schema.functions.get(profile)?.get(name) ?? []
  const named = overloads.filter((fn) => takes(fn, offer.names))
  const whole = overloads.filter((fn) => takesWhole(fn, offer))
  const found = named.length > 0 && !offer.mixed ? named : whole
  const [fn, other] = found
  if (!fn && offer.mixed) throw badBody('All object keys must match')
  if (!fn) throw noFunction(schema, profile, name, offer, overloads)
  if (other) throw ambiguous(found)
  if (found === whole) return { fn, args: [], value: offer.text, first: false, unnamed: fn.args[0] }
  const args = fn.args.filter((arg) => offer.names.includes(arg.name))
  const first = offer.first === true
  return { fn, args, value: jsonFor(args, offer), first, unnamed: undefined }
}

function takes(fn: Fn, names: readonly string[]): boolean {
  const known = new Set(fn.args.map((arg) => arg.name))
  return (
    fn.args.every((arg) => arg.name !== '' || arg.optional) &&
    names.every((name) => known.has(name)) &&
    fn.args.every((arg) => arg.optional || names.includes(arg.name))
  )
}

const wholeTypes = ['json', 'jsonb', 'text', 'xml', 'bytea']

/** Whether any request can call it: an argument without a name has to be the only one, of a type that a body can be. */
const isCallable = ({ args }: Fn): boolean =>
  args.every(({ name }) => name !== '') ||
  (args.length === 1 && args.every(({ type }) => wholeTypes.includes(type)))

function takesWhole(fn: Fn, offer: Offer): boolean {
  const [only] = fn.args
  return fn.args.length === 1 && only?.name === '' && offer.whole.includes(only.type)
}

function ambiguous(found: readonly Fn[]): Problem {
  const list = found.map((fn) => {
    const args = fn.args.map((arg) => (arg.name === '' ? arg.type : `${arg.name} => ${arg.type}`))
    return `${fn.schema}.${fn.name}(${args.join(', ')})`
  })
  return new Problem(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${list.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  )
}

function noFunction(
  schema: Schema,
  profile: string,
  name: string,
  offer: Offer,
  overloads: readonly Fn[],
): Problem {
  const called = `${profile}.${name}`
  const { names, whole } = offer
  const given = names.length === 0 ? ' without parameters' : `(${names.join(', ')})`
  const searched =
    names.length === 0
      ? ' without parameters'
      : ` with parameter${names.length > 1 ? 's' : ''} ${names.join(', ')}`
  const isJson = whole.includes('json')
  const onlyWhole = whole.length > 0 && !isJson
  const details = [
    `Searched for the function ${called}`,
    onlyWhole ? ` with a single unnamed ${whole[0]} parameter` : searched,
    isJson ? ' or with a single unnamed json/jsonb parameter' : '',
    ', but no matches were found in the schema cache.',
  ].join('')
  return new MissingProblem(
    404,
    'PGRST202',
    `Could not find the function ${called}${onlyWhole ? '' : given} in the schema cache`,
    { details, hint: hintFor(schema, profile, name, names, overloads) },
  )
}

function hintFor(
  schema: Schema,
  profile: string,
  name: string,
  names: readonly string[],
  overloads: readonly Fn[],
): string | null {
  const signature = (args: readonly string[]) => `(${args.toSorted().join(', ')})`
  const known = overloads.filter(isCallable)
  const others = [...(schema.functions.get(profile) ?? [])]
  const near =
    known.length === 0
      ? closest(
          name,
          others.filter(([, fns]) => fns.some(isCallable)).map(([other]) => other),
        )
      : closest(
          signature(names),
          known.map((fn) => signature(fn.args.map((arg) => arg.name))),
        )
  if (near === undefined) return null
  const target = known.length === 0 ? near : `${name}${near}`
  return `Perhaps you meant to call the function ${profile}.${target}`
}
