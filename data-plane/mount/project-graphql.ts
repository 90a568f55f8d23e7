import { restrictionOf } from '../projects/restriction.ts'
import type { FastifyRequest } from 'fastify'
import { As } from '#contract/data-api/impersonation'
import { parseJson } from '#kit/http/json-body'
import { UnavailableError } from '../gateway/problems.ts'
import { Refusal } from '../graphql/refusal.ts'
import { graphqlRoutes } from '../graphql/routes.ts'
import type { Service, Work } from '../graphql/service.ts'
import type { Plane } from '../plane.ts'
import type { OpenProject } from '../projects/open-project.ts'
import { checkAudience } from '../rest/server/audience.ts'
import { databaseProblem } from '../rest/answers/database-problem.ts'
import { readIncoming, type Identity } from '../rest/requests/incoming.ts'
import type { Rests } from '../rest/open-rest.ts'
import { Problem } from '../rest/answers/problem.ts'
import { loadedSchema, transactionOf } from '../rest/rest.ts'
import type { Schema } from '../rest/catalog/schema.ts'
import type { DataApi } from './project-rest.ts'

type GraphqlServices = ReturnType<typeof createGraphqlServices>

/** Puts GraphQL behind the gateway, and for our own programs below /internal. */
export function mountGraphql(plane: Plane, { rests, limited, identityOf }: DataApi): void {
  const { app, gateway, counts } = plane
  const services = createGraphqlServices(rests)
  void app.register(
    async (scope) => {
      // Whether a request reads stands in its body, so the service itself refuses what changes something.
      gateway.guard(scope, { reads: () => true, thirdParty: true })
      counts?.watch(scope, 'graphql', gateway.admitted)
      scope.addHook('onRequest', (request) => limited.graphql(gateway.tenantOf(request), request))
      graphqlRoutes(scope, {
        serviceOf: async (request) => {
          const { project, target } = gateway.tenantOf(request)
          const identity = () => identityOf(request)
          return { service: await services.of(project, request, identity), target }
        },
      })
    },
    { prefix: '/:ref/graphql/v1' },
  )
  mountOwn(plane, services)
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
      graphqlRoutes(scope, { serviceOf })
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

/**
 * The GraphQL service stands on the data API: the same schema cache, settings of a request, roles and words for what the
 * database refuses. A project that nobody asks for GraphQL has nothing of it.
 */
function createGraphqlServices(rests: Rests) {
  /** @throws Refusal for a token that is none, a schema that is not exposed, or a database that does not answer */
  async function of(
    project: OpenProject,
    { method, headers, id: requestId }: Pick<FastifyRequest, 'method' | 'headers' | 'id'>,
    identityOf: () => Identity,
  ): Promise<Service<Schema>> {
    const rest = rests.of(project, project.connection.settings)
    const { cache } = rest
    const identity = refusing(identityOf, false)
    const isAnon = identity.role === 'anon'
    // Which schemas are exposed stands in the database, and is read with its schema.
    await loadedSchema(rest).catch((error: unknown) => refuseAs(error, isAnon))
    const { settings } = rest
    const incoming = refusing(
      () =>
        readIncoming(
          { method, target: '/', headers, body: { kind: 'nothing' }, requestId },
          identity,
          settings,
        ),
      isAnon,
    )

    async function admitted(): Promise<Schema> {
      const schema = await loadedSchema(rest)
      checkAudience(schema, identity)
      return schema
    }

    async function run(schema: Schema, work: Work) {
      const { readOnly, statements, refuse } = work
      const prepared = { readOnly, statements, settings: work.settings ?? [], refuse, answer: none }
      const transaction = transactionOf(incoming, prepared, { schema, settings })
      const own = <T>(results: readonly T[]) =>
        results.slice(transaction.first, transaction.first + statements.length)
      const results = await project.run(identity.role, {
        statements: transaction.statements,
        epoch: schema.epoch,
        refuse: refuse && ((all) => refuse(own(all))),
        leavesTraces: !readOnly,
      })
      return own(results)
    }

    return {
      role: identity.role,
      profile: incoming.profile,
      restriction: restrictionOf(project.connection),
      schema: () => admitted().catch((error: unknown) => refuseAs(error, isAnon)),
      caughtUp: (than) => cache.caughtUp(than),
      run: (schema, work) => run(schema, work).catch((error: unknown) => refuseAs(error, isAnon)),
    }
  }
  return { of }
}

/** Only the data API makes answers of its own kind. */
function none(): never {
  throw new Error('A GraphQL request is not answered here')
}

function refusing<T>(work: () => T, isAnon: boolean): T {
  try {
    return work()
  } catch (error) {
    return refuseAs(error, isAnon)
  }
}

/** What the data API would say, said to GraphQL. */
function refuseAs(error: unknown, isAnon: boolean): never {
  const problem = error instanceof Problem ? error : databaseProblem(error, isAnon)
  if (!problem) throw error
  const { status, message, code, details, hint, headers } = problem
  throw new Refusal(status, message, { code, details, hint, headers })
}
