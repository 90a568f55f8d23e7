import { graphqlConsole as api, GraphqlAnswer } from '#contract/data-api/graphql-console'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Log } from '#kit/log'

type Deps = { dataPlaneUrl: string; internalToken: string; log: Log }

/** Somewhat longer than a statement of a signed-in user may take. */
const longestWaitMs = 15_000

/** GraphQL written in the dashboard, run by the project's own service. */
export const graphqlConsoleRoutes = ({ dataPlaneUrl, internalToken, log }: Deps) => [
  implement(api.run, async ({ ref, ...asked }) => {
    const response = await fetch(`${dataPlaneUrl}/internal/graphql/${ref}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      signal: AbortSignal.timeout(longestWaitMs),
    }).catch((error: unknown) => {
      log.warn({ err: error, project: ref }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    if (response.status === 404) throw new ApiError('project_not_found')
    const answer = GraphqlAnswer.safeParse(await response.json().catch(() => undefined))
    // GraphQL says in its answer what was wrong with a document, whatever the status; other answers are not its own.
    if (response.status < 500 && answer.success) return answer.data
    throw new ApiError('project_unreachable', answer.data?.errors?.[0]?.message)
  }),
]
