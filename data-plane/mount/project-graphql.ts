import type { FastifyRequest } from 'fastify'
import { As } from '#contract/data-api/impersonation'
import { parseJson } from '#kit/http/json-body'
import { UnavailableError } from '../gateway/problems.ts'
import { Refusal } from '../graphql/refusal.ts'
import { graphqlRoutes } from '../graphql/routes.ts'
import type { Plane } from '../plane.ts'
import type { GraphqlServices } from './graphql-services.ts'
import type { DataApi } from './project-rest.ts'

/** Puts GraphQL behind the gateway, and for our own programs below /internal. */
export function mountGraphql(plane: Plane, { graphql, limited, identityOf }: DataApi): void {
  const { app, gateway, counts } = plane
  void app.register(
    async (scope) => {
      // Whether a request reads stands in its body, so the service itself refuses what changes something.
      gateway.guard(scope, { reads: () => true, thirdParty: true })
      counts?.watch(scope, 'graphql', gateway.admitted)
      scope.addHook('onRequest', (request) => limited.graphql(gateway.tenantOf(request), request))
      graphqlRoutes(scope, {
        load: graphql.load,
        serviceOf: async (request) => {
          const { project, target } = gateway.tenantOf(request)
          const identity = () => identityOf(request)
          return { service: await graphql.of(project, request, identity), target }
        },
      })
    },
    { prefix: '/:ref/graphql/v1' },
  )
  mountOwn(plane, graphql)
}

/**
 * GraphQL for the control plane, which has checked who asks: no key and no token come along, `as` in the body says whom the
 * request runs as.
 */
function mountOwn({ app, isOurs, open }: Plane, services: GraphqlServices): void {
  async function serviceOf(request: FastifyRequest) {
    // Fastify decodes path parameters of every route below /:ref as strings.
    const { ref } = request.params as { ref: string }
    const project = await open(ref).catch((error: unknown) => {
      if (error instanceof UnavailableError) throw new Refusal(503, error.message)
      throw error
    })
    if (!project) throw new Refusal(404, 'There is no such project')
    const { role, claims } = await asOf(request)
    const identity = { role, claims: JSON.stringify({ ...claims, role }) }
    return { service: await services.of(project, request, () => identity), target: '/' }
  }
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => {
        if (!isOurs(request)) throw new Refusal(401, 'This address is not for clients')
      })
      graphqlRoutes(scope, { serviceOf, load: services.load })
    },
    { prefix: '/internal/graphql/:ref' },
  )
}

async function asOf({ body }: FastifyRequest): Promise<As> {
  try {
    // The parser of the GraphQL service makes every body a Buffer.
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const { as } = (await parseJson(bytes)) as { as: unknown }
    return As.parse(as)
  } catch (error) {
    throw new Refusal(400, 'The request does not say whom it runs as', { details: String(error) })
  }
}
