import type { IncomingHttpHeaders } from 'node:http'
import type { Body } from './body.ts'
import { parsePrefer, type Preferences } from '../query/prefer.ts'
import { Problem } from '../answers/problem.ts'
import { MissingProblem } from '../plan/resolve.ts'

/** A request as it comes from the gateway. */
export type RestRequest = {
  method: string
  /** Path and query behind `/rest/v1`, byte for byte: `/books?id=eq.1`. */
  target: string
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  /** By which the database's log tells of it; undefined where nobody follows requests. */
  requestId?: string | undefined
}
/** Who the request runs as. `claims` is JSON text. */
export type Identity = { role: string; claims: string }

export type Resource =
  | { kind: 'root' }
  | { kind: 'relation'; name: string }
  | { kind: 'function'; name: string }

export type Incoming = Omit<RestRequest, 'body'> & {
  body: Body
  identity: Identity
  resource: Resource
  path: string
  rawQuery: string
  /** The exposed schema that is meant. */
  profile: string
  prefer: Preferences
  /** It is not answered but explained. */
  isExplained?: boolean
}

/** How a project wants its data API. */
export type ServingSettings = {
  exposedSchemas: readonly string[]
  extraSearchPath: readonly string[]
  maxRows: number
  /** Who asks without a token; `anon` unless told. */
  anonRole?: string | undefined
  /** Settings that every request has beside those of its role. */
  everyRequest?: readonly (readonly [name: string, value: string])[]
  /** Where people can grant what a request lacks, in a sentence. */
  grantPage?: string | undefined
}

const readVerbs = new Set(['GET', 'HEAD'])
export const isRead = (method: string): boolean => readVerbs.has(method)

/** Ranges are of what is sent, and only GET sends some. */
export const rangeOf = ({ method, headers }: Pick<RestRequest, 'method' | 'headers'>) =>
  method === 'GET' ? headers.range : undefined

export function readIncoming(
  request: Omit<RestRequest, 'body'> & { body: Body },
  identity: Identity,
  settings: ServingSettings,
): Incoming {
  const question = request.target.indexOf('?')
  const path = question < 0 ? request.target : request.target.slice(0, question)
  const rawQuery = question < 0 ? '' : request.target.slice(question + 1)
  const prefer = request.headers['prefer']
  return {
    ...request,
    identity,
    path,
    rawQuery,
    resource: resourceOf(path),
    profile: profileOf(request, settings.exposedSchemas),
    prefer: parsePrefer(Array.isArray(prefer) ? prefer.join(',') : prefer, isTimezone),
  }
}

function resourceOf(path: string): Resource {
  const segments = path.split('/').slice(1).map(decodeSegment)
  if (segments.at(-1) === '' && segments.length > 1) segments.pop()
  const [first = '', second] = segments
  if (segments.length === 1) {
    return first === '' ? { kind: 'root' } : { kind: 'relation', name: first }
  }
  if (segments.length === 2 && first === 'rpc' && second) return { kind: 'function', name: second }
  throw badPath()
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badPath()
  }
}

const badPath = () => new Problem(404, 'PGRST125', 'Invalid path specified in request URL')

/** `Accept-Profile` chooses the schema of a read, `Content-Profile` that of a write. */
function profileOf(
  { method, headers }: Omit<RestRequest, 'body'>,
  exposed: readonly string[],
): string {
  const asked = headers[isRead(method) ? 'accept-profile' : 'content-profile']
  const profile = typeof asked === 'string' ? Buffer.from(asked, 'latin1').toString() : undefined
  const [first] = exposed
  if (first === undefined) {
    throw new MissingProblem(406, 'PGRST106', 'The data API of this project exposes no schema')
  }
  if (profile === undefined || profile === '') return first
  if (exposed.includes(profile)) return profile
  // It may have been exposed a moment ago.
  throw new MissingProblem(406, 'PGRST106', `Invalid schema: ${profile}`, {
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  })
}

const zones = new Map<string, boolean>()

/** The zones of the runtime and of the database come from the same public list. */
function isTimezone(zone: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,60}$/.test(zone)) return false
  const known = zones.get(zone)
  if (known !== undefined) return known
  let valid = true
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    valid = false
  }
  // Bounded, since every client can make up names.
  if (zones.size < 1000) zones.set(zone, valid)
  return valid
}
