import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../values.ts'

/** What an operator sees of the rounds that look after everything all the time. */
export const rounds = {
  failing: endpoint('rounds.failing', 'GET /internal/rounds', {
    needs: 'internal',
    local: true,
    input: z.object({}),
    returns: z.object({
      failing: z.array(
        z.object({
          /** What is done, such as `health of projects`. */
          round: z.string(),
          /** For what, such as a project's ref or an organization's id. */
          subject: z.string(),
          failure: z.string(),
          since: Instant,
          /** In a row. */
          failures: z.number(),
          /** Until then it is left out. */
          next_at: Instant,
        }),
      ),
    }),
  }),
}
