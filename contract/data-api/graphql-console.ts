import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { As } from './impersonation.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef as ref } from '../values.ts'

/** Characters; what people and tools write by hand is far shorter. */
const longestDocument = 200_000

/** An error as GraphQL says it; more stands beside these. */
const GraphqlError = z.looseObject({
  message: z.string(),
  locations: z.array(z.object({ line: z.number(), column: z.number() })).optional(),
})

/** What GraphQL answers: `data`, `errors`, or both. */
export const GraphqlAnswer = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(GraphqlError).optional(),
})
export type GraphqlAnswer = z.infer<typeof GraphqlAnswer>

export const graphqlConsole = {
  /**
   * Asks the project's GraphQL API as a role, as if a token of that role had come. What GraphQL itself refuses is an
   * answer like every other, with `errors`. Needs what running SQL as a role needs.
   */
  run: endpoint('graphqlConsole.run', 'POST /platform/projects/:ref/api/graphql', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: z.object({
      ref,
      query: z.string().min(1).max(longestDocument),
      variables: z.record(z.string(), z.unknown()).default({}),
      operationName: z.string().max(1000).optional(),
      as: As,
    }),
    returns: GraphqlAnswer,
  }),
}
