import { isUtf8 } from 'node:buffer'
import { shapeOf } from '#kit/http/json-body'
import { maxKeys, type RowShape } from '#kit/http/json-rows'
import { JsonRefusal } from '#kit/http/json-scan'
import { csvToJson } from '../answers/csv.ts'
import { badBody, Problem } from '../answers/problem.ts'

/** A body as the database gets it: JSON text in UTF-8, one object or an array of objects. */
export type Payload = {
  json: Buffer
  array: boolean
  /** Keys of the first object; with `uniform`, of all. */
  keys: readonly string[]
  uniform: boolean
  /** How many objects. */
  length: number
}

/** What a request has brought along, by its content type. A problem with it counts only where the body is wanted. */
export type Body =
  | { kind: 'json'; bytes: Buffer; shape: RowShape }
  /** Of JSON, but there is nothing. */
  | { kind: 'nothing' }
  | { kind: 'csv'; payload: Payload }
  | { kind: 'form'; fields: readonly (readonly [string, string])[] }
  | { kind: 'other'; bytes: Buffer; type: string }
  | { kind: 'refused'; problem: Problem }

/** The database reads JSON recursively; without this bound a body could exhaust its stack. */
const bounds = { depth: 500, values: Infinity, keys: Infinity }
const none: Buffer = Buffer.alloc(0)

/**
 * Looks at a body without making values of it: the bytes go to the database as they came, so that no number loses digits
 * and no large body holds up other requests.
 */
export async function readBody(bytes = none, contentType: string | undefined): Promise<Body> {
  try {
    return await read(bytes, contentType)
  } catch (error) {
    return refused(error)
  }
}

/** Of an error while reading; what is no refusal is thrown on. */
export function refused(error: unknown): Body {
  if (error instanceof Problem) return { kind: 'refused', problem: error }
  if (!(error instanceof JsonRefusal)) throw error
  const malformed = error.kind === 'malformed'
  const problem = malformed
    ? badBody('Empty or invalid json', error.message)
    : badBody(error.message)
  return { kind: 'refused', problem }
}

async function read(bytes: Buffer, contentType: string | undefined): Promise<Body> {
  const type = mediaType(contentType)
  switch (type) {
    case 'application/json':
    case '':
      if (!isUtf8(bytes)) throw notText()
      if (isBlank(bytes)) return { kind: 'nothing' }
      return { kind: 'json', bytes, shape: await shapeOf(bytes, bounds) }
    case 'text/csv': {
      if (bytes.length > longestCsv) throw tooLong('CSV', longestCsv)
      const { json, keys, length } = await csvToJson(decodeText(bytes))
      return { kind: 'csv', payload: { json, array: true, keys, uniform: true, length } }
    }
    case 'application/x-www-form-urlencoded':
      return { kind: 'form', fields: fieldsOf(bytes) }
    default:
      return { kind: 'other', bytes, type }
  }
}

/** The rows of a write. An absent body is malformed. @throws Problem PGRST102, 415 */
export function payloadOf(body: Body, contentType: string | undefined): Payload {
  switch (body.kind) {
    case 'refused':
      throw body.problem
    case 'nothing':
      throw badBody('Empty or invalid json', 'The body is empty')
    case 'json':
      return rowsOf(body.bytes, body.shape)
    case 'csv':
      return body.payload
    case 'form': {
      const row = Object.fromEntries(body.fields)
      const json = Buffer.from(JSON.stringify(row))
      return { json, array: false, keys: Object.keys(row), uniform: true, length: 1 }
    }
    case 'other':
      throw unsupported(contentType)
    default:
      return body satisfies never
  }
}

export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const unsupported = (contentType: string | undefined): Problem =>
  new Problem(415, 'PGRST102', `Content-Type not acceptable: ${contentType ?? ''}`)

const notText = () => badBody('The request body is not valid UTF-8')

export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notText()
  return bytes.toString()
}

/** Whether there is nothing but white space, of a length that somebody means. */
const isBlank = (bytes: Buffer) => bytes.length < 1024 && bytes.toString().trim() === ''

/** Values are made of these, so they are no way for large bodies. */
const longestForm = 1024 * 1024
const longestCsv = 8 * 1024 * 1024
const tooLong = (what: string, max: number) =>
  new Problem(413, 'PGRST102', `${what} can have ${max} bytes; JSON can have more`)

function fieldsOf(bytes: Buffer): [string, string][] {
  if (bytes.length > longestForm) throw tooLong('A form', longestForm)
  let fields = 0
  for (let at = bytes.indexOf('&'); at >= 0; at = bytes.indexOf('&', at + 1)) {
    if (++fields >= maxKeys) throw badBody(`The form has more than ${maxKeys} fields`)
  }
  return [...new URLSearchParams(decodeText(bytes))]
}

function rowsOf(json: Buffer, { form, length, keys, uniform, mixed }: RowShape): Payload {
  if (form === 'scalar' || mixed) {
    throw badBody('The body must be a JSON object or an array of JSON objects')
  }
  return { json, array: form === 'array', keys, uniform, length }
}
