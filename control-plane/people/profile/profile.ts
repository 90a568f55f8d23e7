import type { Parsed } from '#contract/endpoint'
import type { Profile, profile as api } from '#contract/people/profile'
import { freeActiveProjects } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { ProfileRow, ProfileStore } from './store.ts'

export const shapeProfile = (
  row: ProfileRow,
  disabledFeatures: readonly string[] = [],
  isOperator = false,
): Profile => ({
  id: Number(row.id),
  gotrue_id: row.user_id,
  auth0_id: row.auth0_id,
  username: row.username,
  primary_email: row.primary_email,
  first_name: row.first_name,
  last_name: row.last_name,
  mobile: null,
  is_alpha_user: false,
  is_operator: isOperator,
  free_project_limit: freeActiveProjects,
  disabled_features: [...disabledFeatures],
})

/** The prefix tells clients how somebody signs in; `github` marks an account of GitHub (requirements §3, Profile). */
function loginKind(provider: string | undefined): 'github' | 'sso' | 'email' {
  if (provider?.startsWith('sso:')) return 'sso'
  return provider === 'github' ? 'github' : 'email'
}

/** What everybody's profile begins as. */
export const newProfile = ({
  userId,
  email,
  provider,
}: Pick<Caller, 'userId' | 'email' | 'provider'>) => ({
  user_id: userId,
  auth0_id: `${loginKind(provider)}|${userId}`,
  username: email.split('@')[0] || userId,
  primary_email: email,
})

/** A user's profile. It is made by an explicit call after the first sign-in (requirements §4, "Profile load"). */
export function createProfiles(
  store: ProfileStore,
  record: RecordChange,
  disabledFeatures: readonly string[],
  isOperator: (userId: string) => Promise<boolean>,
) {
  const shape = async (row: ProfileRow) =>
    shapeProfile(row, disabledFeatures, await isOperator(row.user_id))
  return {
    async get(caller: Caller): Promise<Profile> {
      const row = await store.find(caller.userId)
      if (!row) throw new ApiError('user_profile_not_found')
      return shape(row)
    },

    async create(caller: Caller): Promise<Profile> {
      const row = await store.insert(newProfile(caller))
      if (!row) throw new ApiError('profile_exists')
      return shape(row)
    },

    async update(
      caller: Caller,
      change: Parsed<typeof api.update>,
      origin: Origin,
    ): Promise<Profile> {
      const changed = await store.transaction(async (tx) => {
        const before = await store.lock(tx, caller.userId)
        if (!before) throw new ApiError('user_profile_not_found')
        const name = (given: string | undefined, old: string | null) =>
          given === undefined ? old : given || null
        const after = {
          first_name: name(change.first_name, before.first_name),
          last_name: name(change.last_name, before.last_name),
          username: change.username ?? before.username,
        }
        const row = await store.update(tx, caller.userId, after)
        const { first_name, last_name, username } = before
        await record(tx, {
          organizationId: null,
          actor: caller,
          action: 'profile.update',
          target: `account:${caller.userId}`,
          change: { before: { first_name, last_name, username }, after },
          origin,
        })
        return row
      })
      return shape(changed)
    },
  }
}
export type Profiles = ReturnType<typeof createProfiles>
