import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../values.ts'

/** What an operator sees of the looks at roles, owners and rights after each start of a project (docs/security.md). */
export const roleLooks = {
  list: endpoint('role-looks.list', 'GET /internal/role-looks', {
    needs: 'internal',
    local: true,
    input: z.object({}),
    returns: z.object({
      /** Projects that were looked at. */
      projects: z.number(),
      /** Those at which something was found, or that could not be looked at. */
      looks: z.array(
        z.object({
          ref: z.string(),
          name: z.string(),
          looked_at: Instant,
          findings: z.array(
            z.object({
              /** Such as `"eve" is superuser`. */
              found: z.string(),
              /** It was taken away. */
              repaired: z.boolean(),
              /** Why it could not be. */
              failure: z.string().optional(),
            }),
          ),
          /** Why it could not be looked at. */
          failure: z.string().nullable(),
        }),
      ),
    }),
  }),
}
