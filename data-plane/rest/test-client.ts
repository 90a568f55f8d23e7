import type { TestDataPlane } from '../testing.ts'

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

/**
 * Plain HTTP against the data API: `ask('GET /books?id=eq.1', { as: 'authenticated' })`. The role is anon by its key,
 * service_role by its key, any other by a token.
 */
export function restClient(plane: TestDataPlane): Ask {
  return async (request, { body, headers = {}, as = 'anon', claims = {} } = {}) => {
    const [method = 'GET', path = '/'] = request.split(/ (.*)/s)
    const key = as === 'service_role' ? plane.project.serviceKey : plane.project.anonKey
    const isKey = as === 'anon' || as === 'service_role'
    const token = isKey ? key : plane.token({ role: as, ...claims })
    const sends =
      body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(`${plane.url}/rest/v1${path}`, {
      method,
      headers: {
        apikey: key,
        authorization: `Bearer ${token}`,
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
