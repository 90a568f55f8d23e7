import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Slug } from '../values.ts'

/**
 * The operator's side of what was made on the command line: it belongs to the local administrator, whom nobody can sign
 * in as, until a person is made an owner of it. In self-hosted mode there is none.
 */
export const claims = {
  claim: endpoint('claims.claim', 'POST /internal/organizations/:slug/claim', {
    needs: 'internal',
    local: true,
    input: z.object({
      slug: Slug,
      /** Of a person who has signed up. */
      email: z.email().max(254),
    }),
    returns: z.object({ slug: z.string(), name: z.string(), email: z.string() }),
  }),
  /** Where people open the dashboard of this platform. */
  address: endpoint('claims.address', 'GET /internal/address', {
    needs: 'internal',
    local: true,
    input: z.object({}),
    returns: z.object({ url: z.string() }),
  }),
}
