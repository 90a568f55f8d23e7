import type { TestDataPlane } from '../data-plane.ts'

export type Reply = {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is none. */
  json: unknown
}
export type Ask = (
  request: string,
  options?: { body?: unknown; headers?: Record<string, string>; as?: string; claims?: object },
) => Promise<Reply>

type Options = NonNullable<Parameters<Ask>[1]>

/**
 * Plain HTTP against the data API: `ask('GET /books?id=eq.1', { as: 'authenticated' })`. The role is anon by its key,
 * service_role by its key, any other by a token.
 */
export const restClient = (plane: TestDataPlane): Ask =>
  askAt(`${plane.url}/rest/v1`, ({ as = 'anon', claims = {} }) => {
    const key = as === 'service_role' ? plane.project.serviceKey : plane.project.anonKey
    const isKey = as === 'anon' || as === 'service_role'
    const token = isKey ? key : plane.token({ role: as, ...claims })
    return { apikey: key, authorization: `Bearer ${token}` }
  })

/** The same against any address, with headers that say who asks. */
export function askAt(url: string, identify: (options: Options) => Record<string, string>): Ask {
  return async (request, options = {}) => {
    const { body, headers = {} } = options
    const [method = 'GET', path = '/'] = request.split(/ (.*)/s)
    const sends =
      body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...identify(options),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...sends,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
