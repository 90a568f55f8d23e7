import type { FastifyRequest } from 'fastify'
import { createGraphqlLoader } from '../graphql/load-graphql.ts'
import { Refusal } from '../graphql/refusal.ts'
import type { Service, Work } from '../graphql/service.ts'
import { restrictionOf } from '../projects/restriction.ts'
import type { OpenProject } from '../projects/open-project.ts'
import { databaseProblem } from '../rest/answers/database-problem.ts'
import { Problem } from '../rest/answers/problem.ts'
import type { Schema } from '../rest/catalog/schema.ts'
import type { Rests } from '../rest/open-rest.ts'
import { readIncoming, type Identity } from '../rest/requests/incoming.ts'
import { loadedSchema, transactionOf } from '../rest/rest.ts'
import { checkAudience } from '../rest/server/audience.ts'

export type GraphqlServices = ReturnType<typeof createGraphqlServices>

/**
 * The GraphQL service stands on the data API: the same schema cache, settings of a request, roles and words for what the
 * database refuses. A project that nobody asks for GraphQL has nothing of it.
 */
export function createGraphqlServices(rests: Rests) {
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
        resetsSettings: true,
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
  return { of, load: createGraphqlLoader() }
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
