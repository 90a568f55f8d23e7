import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** A try that counts towards a limit of all programs together, or one that does not count any more. */
export const RateCount = z.object({
  /** A digest (SHA-256) of what is limited: whom it is about stays with who asks. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** So many tries at most within so many seconds from the first. */
  points: z.number().int().min(1).max(2_147_483_647),
  seconds: z.number().int().min(1).max(86_400),
  gives_back: z.boolean().default(false),
})
export type RateCount = z.infer<typeof RateCount>

export const rateCounts = {
  count: endpoint('rate-counts.count', 'POST /internal/rate-counts', {
    needs: 'internal',
    input: RateCount,
    /** Seconds until the next one may be tried; null: this one may. */
    returns: z.object({ wait: z.number().nullable() }),
  }),
}
