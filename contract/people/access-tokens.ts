import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { displayName, Instant } from '../values.ts'

/** An access token as lists show it: never the token itself. */
export const AccessToken = z.object({
  id: z.number(),
  name: z.string(),
  /** First and last characters of the token, such as `sbp_0123...cdef`. */
  token_alias: z.string(),
  scope: z.literal('V0'),
  created_at: Instant,
  /** Null: it does not expire. */
  expires_at: Instant.nullable(),
  /** To the minute. Null: it was never used. */
  last_used_at: Instant.nullable(),
})
export type AccessToken = z.infer<typeof AccessToken>

/** What public command line tools take for a token of ours: they check the form before they send it. */
export const accessTokenPattern = /^sbp_[0-9a-f]{40}$/

/** How many a person can have at a time. */
export const accessTokenLimit = 100

const ById = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

/** Tokens that scripts and command line tools use in a person's place, with that person's permissions (facts §3.2). */
export const accessTokens = {
  list: endpoint('accessTokens.list', 'GET /platform/profile/access-tokens', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.array(AccessToken),
  }),
  create: endpoint('accessTokens.create', 'POST /platform/profile/access-tokens', {
    needs: 'signed-in',
    sessionOnly: true,
    status: 201,
    perMinute: 30,
    input: z.object({
      name: displayName(1, 64),
      /** When it stops working; it does not expire without one. */
      expires_at: z.iso.datetime({ offset: true }).optional(),
    }),
    /** `token` is shown here and never again. */
    returns: AccessToken.extend({ token: z.string() }),
  }),
  detail: endpoint('accessTokens.detail', 'GET /platform/profile/access-tokens/:id', {
    needs: 'signed-in',
    input: ById,
    returns: AccessToken,
  }),
  remove: endpoint('accessTokens.remove', 'DELETE /platform/profile/access-tokens/:id', {
    needs: 'signed-in',
    input: ById,
    returns: AccessToken,
  }),
}
