import { parseJson } from '#kit/http/json-body'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { As } from '#contract/data-api/impersonation'
import { Refusal } from './graphql/refusal.ts'
import { graphqlRoutes } from './graphql/routes.ts'
import { UnavailableError } from './gateway/problems.ts'
import type { createGraphqlServices } from './mount/project-graphql.ts'
import type { OpenProject } from './projects/open-project.ts'

type Options = {
  /** Whether a request comes from one of our own programs. */
  isOurs: (request: FastifyRequest) => boolean
  /** Undefined: unknown. @throws UnavailableError */
  open: (ref: string) => Promise<OpenProject | undefined>
  services: ReturnType<typeof createGraphqlServices>
}

/**
 * GraphQL for the control plane, which has checked who asks: no key and no token come along, `as` in the body says whom the
 * request runs as. Mounted below `/:ref`.
 */
export function internalGraphql(scope: FastifyInstance, { isOurs, open, services }: Options): void {
  scope.addHook('onRequest', async (request) => {
    if (!isOurs(request)) throw new Refusal(401, 'This address is not for clients')
  })
  graphqlRoutes(scope, {
    serviceOf: async (request) => {
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
    },
  })
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
