import type { TestDataPlane } from './data-plane.ts'

export type GraphqlReply = {
  status: number
  headers: Headers
  /** What GraphQL answers; the shapes of the data are the test's business. */
  data: Record<string, never> | null | undefined
  errors: { message: string; path?: string[]; extensions?: { code?: string } }[] | undefined
  json: unknown
}
export type AskGraphql = (
  query: string,
  options?: {
    variables?: object
    as?: string
    claims?: object
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
  },
) => Promise<GraphqlReply>

/** GraphQL over plain HTTP: `ask('{ bookCollection { edges { node { id } } } }', { as: 'authenticated' })`. */
export function graphqlClient(plane: TestDataPlane): AskGraphql {
  return async (query, options = {}) => {
    const { variables, as = 'anon', claims = {}, method = 'POST', headers = {} } = options
    const isKey = as === 'anon' || as === 'service_role'
    const key = as === 'service_role' ? plane.project.serviceKey : plane.project.anonKey
    const token = isKey ? key : plane.token({ role: as, ...claims })
    const given = variables ? { query, variables } : { query }
    const address = new URLSearchParams({ query, variables: JSON.stringify(variables ?? {}) })
    const response = await fetch(
      `${plane.url}/graphql/v1${method === 'GET' ? `?${address.toString()}` : ''}`,
      {
        method,
        headers: {
          apikey: key,
          authorization: `Bearer ${token}`,
          ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(method === 'POST' ? { body: JSON.stringify(given) } : {}),
      },
    )
    const json = (await response.json()) as Pick<GraphqlReply, 'data' | 'errors'>
    const { data, errors } = json
    return { status: response.status, headers: response.headers, data, errors, json }
  }
}

/** The nodes of a collection, however it is shaped otherwise. */
export const nodesOf = (collection: unknown): Record<string, unknown>[] =>
  (collection as { edges: { node: Record<string, unknown> }[] }).edges.map(({ node }) => node)
