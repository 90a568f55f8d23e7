import { z } from 'zod'
import type { OAuthScope } from './organizations/oauth-scopes.ts'
import type { Need } from './permissions.ts'

/**
 * One call of the platform API, as data. Server, dashboard client, OpenAPI document, permission table and the
 * coverage checks are all read from it.
 */
export type Endpoint<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = {
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD'
  path: `/${string}`
  /** Who may call it: 'anyone', 'signed-in', 'internal' (our own programs), 'operator' (who runs the installation), or an action on a resource. */
  needs: Need
  /** Path, query and body values in one flat object: a name in the path is taken from the path. */
  input: In
  returns: Out
  /** Status of success; 200 unless told. */
  status: number
  /** The answer's bytes are written by the handler itself (SQL results, exports); `returns` then describes them only. */
  raw: boolean
  /** Bodies are JSON lists, as a public protocol has them: the value of `input` that such a list becomes. */
  listBody: string | undefined
  /** Takes multipart/form-data too: text parts by their names, files as lists of `{path, content}` with base64. */
  form: boolean
  /** The handler asks for the bytes of the body too, with `rawBodyOf`: they are what a signature is over. */
  rawBody: boolean
  /** Only for who signed in: an access token that leaked must not be able to do this. */
  sessionOnly: boolean
  /**
   * For `needs: 'signed-in'`: the scope with which an app's token may call it too; without one it may not. The handler then
   * answers about the token's own organization only (`caller.limits`).
   */
  appScope: OAuthScope | undefined
  /** For `needs: 'internal'` and `'operator'`: said at the platform's local socket it counts too, without the token. The operator's words. */
  local: boolean
  /** Requests per minute for one account (or address, when nobody is signed in); the server's default unless told. */
  perMinute: number | undefined
  /** Most bytes of a body; the server's default (1 MiB) unless told. */
  maxBytes: number | undefined
}

type Request = `${Endpoint['method']} /${string}`

/** endpoint('projects.pause', 'POST /platform/projects/:ref/pause', { needs, input, returns }) */
export function endpoint<In extends z.ZodObject, Out extends z.ZodType>(
  name: string,
  request: Request,
  rest: {
    needs: Need
    input: In
    returns: Out
    status?: number
    raw?: boolean
    sessionOnly?: boolean
    rawBody?: boolean
    form?: boolean
    listBody?: string
    appScope?: OAuthScope
    local?: boolean
    perMinute?: number
    maxBytes?: number
  },
): Endpoint<In, Out> {
  // The template type of `request` promises these two parts; split() cannot express it.
  const [method, path] = request.split(' ') as [Endpoint['method'], Endpoint['path']]
  const {
    status = 200,
    raw = false,
    sessionOnly = false,
    rawBody = false,
    form = false,
    listBody,
    appScope,
    local = false,
    perMinute,
    maxBytes,
    ...data
  } = rest
  return {
    name,
    method,
    path,
    status,
    raw,
    sessionOnly,
    rawBody,
    form,
    listBody,
    appScope,
    local,
    perMinute,
    maxBytes,
    ...data,
  }
}

/** What a caller passes. */
export type Input<E extends Endpoint> = z.input<E['input']>
/** What a handler receives, after validation. */
export type Parsed<E extends Endpoint> = z.output<E['input']>
export type Output<E extends Endpoint> = z.output<E['returns']>
