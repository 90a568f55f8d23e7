import type { FastifyRequest } from 'fastify'
import type { Plane } from '../plane.ts'
import { TokenError } from '../gateway/tokens.ts'
import { dataApiLogins, type OpenProject } from '../projects/open-project.ts'
import { badToken } from '../rest/answers/problem.ts'
import { createRests } from '../rest/open-rest.ts'
import { restRoutes, sendBadMethod } from '../rest/routes.ts'
import { graphqlCall } from './graphql-call.ts'
import { createGraphqlServices } from './graphql-services.ts'
import { schemaEntry } from './log-entries.ts'
import { createLimitedCallers } from './limited-callers.ts'

/** What of the data API other services stand on. */
export type DataApi = ReturnType<typeof mountRest>

/** Puts the data API of projects behind the gateway. */
export function mountRest({ app, gateway, projects, counts, logs, log }: Plane) {
  /** Who a request of the gateway runs as, in the data API's own words for a token that is none. @throws Problem 401 */
  function identityOf(request: FastifyRequest) {
    try {
      return gateway.tenantOf(request).identity()
    } catch (error) {
      if (error instanceof TokenError) throw badToken(error.code, error.message, error.details)
      throw error
    }
  }

  const rests = createRests(log, (ref, event) =>
    logs.note(ref, 'postgrest_logs', schemaEntry(event)),
  )
  // What they remember of GraphQL hangs on the schema, and goes with it.
  projects.onRestart('rest', (project) => {
    rests.restart(project)
    project.renew(dataApiLogins)
  })
  const limited = createLimitedCallers(rests)
  const graphql = createGraphqlServices(rests)
  void app.register(
    async (scope) => {
      gateway.guard(scope, { thirdParty: true })
      counts?.watch(scope, 'rest', gateway.admitted)
      scope.addHook('onRequest', (request) => limited.rest(gateway.tenantOf(request), request))
      restRoutes(scope, {
        tenantOf: (request) => {
          const { project, target } = gateway.tenantOf(request)
          return { rest: rests.of(project, project.connection.settings), target }
        },
        otherOf: (request) =>
          graphqlCall(graphql, gateway.tenantOf(request).project, request, () =>
            identityOf(request),
          ),
        identityOf,
        namesRequests: true,
        anonymousBodyLimit: 1024 * 1024,
      })
    },
    { prefix: '/:ref/rest/v1' },
  )

  /** As the data API has them now, since the database itself says it. */
  async function exposedSchemasOf(project: OpenProject): Promise<readonly string[]> {
    const rest = rests.of(project, project.connection.settings)
    await rest.cache.current()
    return rest.settings.exposedSchemas
  }
  return { rests, graphql, limited, identityOf, exposedSchemasOf }
}

/** Where no service answers: below the data API only a verb can be wrong. */
export function answerNotFound({ app }: Plane): void {
  app.setNotFoundHandler((request, reply) => {
    if (/^\/(?:[a-z]{20}|default)\/rest\/v1(?:[/?]|$)/.test(request.url))
      return sendBadMethod(request, reply)
    return reply
      .status(404)
      .send({ code: 'not_found', message: 'There is nothing at this address' })
  })
}
