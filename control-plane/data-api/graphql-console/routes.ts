import { dataPlaneApi } from '#contract/data-plane-api'
import { graphqlConsole as api, GraphqlAnswer } from '#contract/data-api/graphql-console'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { DataPlane } from '../../data-plane/client.ts'

/** GraphQL written in the dashboard, run by the project's own service. */
export const graphqlConsoleRoutes = (dataPlane: DataPlane) => [
  implement(api.run, async ({ ref, ...body }) => {
    const response = await dataPlane.open(dataPlaneApi.graphql, { params: { ref }, body })
    if (response.status === 404) throw new ApiError('project_not_found')
    const answer = GraphqlAnswer.safeParse(await response.json().catch(() => undefined))
    // GraphQL says in its answer what was wrong with a document, whatever the status; other answers are not its own.
    if (response.status < 500 && answer.success) return answer.data
    throw new ApiError('project_unreachable', answer.data?.errors?.[0]?.message)
  }),
]
