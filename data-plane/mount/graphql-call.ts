import type { FastifyRequest } from 'fastify'
import { Refusal } from '../graphql/refusal.ts'
import type { OpenProject } from '../projects/open-project.ts'
import { Problem } from '../rest/answers/problem.ts'
import type { Identity } from '../rest/requests/incoming.ts'
import type { OtherAnswer } from '../rest/requests/other-answers.ts'
import type { GraphqlServices } from './graphql-services.ts'

/**
 * GraphQL as a function of the data API: `rpc('graphql', { query, variables, operationName })` with the schema
 * graphql_public. The service answers it as /graphql/v1 does, for the same caller; the function in the database
 * (data-plane/schema/020-graphql-function.sql) says what the arguments are and answers where this does not.
 */
export function graphqlCall(
  services: GraphqlServices,
  project: OpenProject,
  request: Pick<FastifyRequest, 'headers' | 'id'>,
  identity: () => Identity,
): OtherAnswer {
  return {
    schema: 'graphql_public',
    name: 'graphql',
    bodyLimit: 4 * 1024 * 1024,
    async answer(method, { query, variables, operationName }) {
      try {
        const headers = ownHeaders(request)
        const service = await services.of(project, { method, headers, id: request.id }, identity)
        const asked = method === 'GET' ? inAddress : inBody
        const graphql = await services.load()
        return (await graphql.serve(service, asked({ query, variables, operationName }))).body
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return refused(error)
      }
    },
  }
}

/** Without those that speak of the function. GraphQL reads and writes the first exposed schema, as at its own address. */
function ownHeaders({ headers }: Pick<FastifyRequest, 'headers'>) {
  const own = { ...headers }
  for (const name of ['accept-profile', 'content-profile', 'content-type', 'accept'])
    delete own[name]
  return own
}

type Args = { query: unknown; variables: unknown; operationName: unknown }

const inBody = (args: Args) => ({
  method: 'POST',
  target: '/',
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(args)),
})

/** Arguments of a GET are texts, and it changes nothing. */
function inAddress(args: Args) {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(args))
    if (typeof value === 'string') given.set(name, value)
  const target = `/?${given.toString()}`
  return { method: 'GET', target, contentType: undefined, body: undefined }
}

/** What is wrong with the document is what the function returns; what is wrong with the request, its status says. */
function refused(refusal: Refusal): object {
  const { status, message, code, details, hint, headers } = refusal
  if (status === 400 && code === undefined) return { errors: [{ message }] }
  throw new Problem(status, code ?? 'PGRST101', message, { details, hint, headers: { ...headers } })
}
