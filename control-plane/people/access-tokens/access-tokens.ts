import {
  accessTokenLimit,
  accessTokenPattern,
  type AccessToken,
  type accessTokens as api,
} from '#contract/people/access-tokens'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AccessTokenStore, ShownToken } from './store.ts'
import { aliasOf, hashOf, newAccessToken } from './tokens.ts'

const shape = (row: ShownToken): AccessToken => ({
  id: Number(row.id),
  name: row.name,
  token_alias: row.token_alias,
  scope: 'V0',
  created_at: row.inserted_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

const target = (row: { id: string }) => `access_token:${row.id}`

/** The access tokens of people. Revoking one is deleting its row: the next call with it finds nothing. */
export function createAccessTokens(store: AccessTokenStore, record: RecordChange) {
  return {
    list: async (caller: Caller) => (await store.list(caller.userId)).map(shape),

    async get(caller: Caller, id: number): Promise<AccessToken> {
      const row = await store.find(caller.userId, id)
      if (!row) throw new ApiError('access_token_not_found')
      return shape(row)
    },

    async create(
      caller: Caller,
      { name, expires_at }: Parsed<typeof api.create>,
      origin: Origin,
    ): Promise<Output<typeof api.create>> {
      const expiresAt = expires_at === undefined ? null : new Date(expires_at)
      if (expiresAt && expiresAt.getTime() <= Date.now())
        throw new ApiError('invalid_input', 'expires_at: must be in the future')
      const token = newAccessToken()
      const row = await store.transaction(async (tx) => {
        const held = await store.countLocked(tx, caller.userId)
        if (held === undefined) throw new ApiError('user_profile_not_found')
        if (held >= accessTokenLimit) throw new ApiError('too_many_access_tokens')
        const made = await store.insert(tx, {
          user_id: caller.userId,
          name,
          token_hash: hashOf(token),
          token_alias: aliasOf(token),
          expires_at: expiresAt,
          last_used_at: null,
        })
        await record(tx, {
          organizationId: null,
          actor: caller,
          action: 'accessTokens.create',
          target: target(made),
          change: { after: { name, expires_at: expiresAt?.toISOString() ?? null } },
          origin,
        })
        return made
      })
      return { ...shape(row), token }
    },

    async remove(caller: Caller, id: number, origin: Origin): Promise<AccessToken> {
      const row = await store.transaction(async (tx) => {
        const gone = await store.remove(tx, caller.userId, id)
        if (!gone) throw new ApiError('access_token_not_found')
        await record(tx, {
          organizationId: null,
          actor: caller,
          action: 'accessTokens.remove',
          target: target(gone),
          change: { before: { name: gone.name } },
          origin,
        })
        return gone
      })
      return shape(row)
    },

    /** Whose token this is; undefined when it is none of ours, was revoked or has expired. Notes its use once a minute. */
    async verify(token: string) {
      if (!accessTokenPattern.test(token)) return undefined
      const row = await store.live(hashOf(token))
      if (!row) return undefined
      if (row.use_is_news) await store.used(row.id)
      return {
        kind: 'token' as const,
        userId: row.user_id,
        email: row.email,
        sessionId: target(row),
        aal: 'aal1' as const,
      }
    },
  }
}
export type AccessTokens = ReturnType<typeof createAccessTokens>
