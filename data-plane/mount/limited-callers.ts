import type { FastifyRequest } from 'fastify'
import { callerOf, createCallerLimits } from '../gateway/caller-limits.ts'
import type { Tenant } from '../gateway/gateway.ts'
import { Refusal } from '../graphql/refusal.ts'
import type { OpenProject } from '../projects/open-project.ts'
import type { Rests } from '../rest/open-rest.ts'
import { Problem } from '../rest/answers/problem.ts'

const code = 'over_request_rate_limit'

/**
 * Refuses callers of the data API and GraphQL who ask more often than the project allows:
 * `alter role authenticator set pgrst.rate_limit = 600`, requests in a minute. Both services count together, since one
 * does what the other does. A project that says nothing has no limit.
 */
export function createLimitedCallers(rests: Rests) {
  const waitOf = createCallerLimits<OpenProject>()

  async function limitOf(project: OpenProject): Promise<number | undefined> {
    try {
      const { cache } = rests.of(project, project.connection.settings)
      const limit = Number((await cache.current()).options.get('rate_limit'))
      return Number.isInteger(limit) && limit > 0 ? limit : undefined
    } catch {
      // The service itself is about to say what is the matter with the database.
      return undefined
    }
  }

  async function check({ project, key, identity }: Tenant<OpenProject>, { ip }: FastifyRequest) {
    const limit = await limitOf(project)
    const wait = limit && waitOf(project, callerOf({ key, identity, ip }), limit)
    if (!wait) return undefined
    const message = `More than ${limit} requests in a minute are not answered; try again in ${wait} seconds`
    return { message, headers: { 'retry-after': String(wait) } }
  }

  return {
    /** @throws Problem 429 */
    async rest(tenant: Tenant<OpenProject>, request: FastifyRequest): Promise<void> {
      const refused = await check(tenant, request)
      if (refused) throw new Problem(429, code, refused.message, { headers: refused.headers })
    },
    /** @throws Refusal 429 */
    async graphql(tenant: Tenant<OpenProject>, request: FastifyRequest): Promise<void> {
      const refused = await check(tenant, request)
      if (refused) throw new Refusal(429, refused.message, { code, headers: refused.headers })
    },
  }
}
