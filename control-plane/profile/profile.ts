import type { Profile } from '#contract/profile'
import { freeActiveProjects } from '#contract/plans'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { ProfileRow, ProfileStore } from './store.ts'

const shape = (row: ProfileRow): Profile => ({
  id: Number(row.id),
  gotrue_id: row.user_id,
  auth0_id: row.auth0_id,
  username: row.username,
  primary_email: row.primary_email,
  first_name: row.first_name,
  last_name: row.last_name,
  mobile: null,
  is_alpha_user: false,
  free_project_limit: freeActiveProjects,
  disabled_features: [],
})

/** A user's profile. It is made by an explicit call after the first sign-in (requirements §4, "Profile load"). */
export function createProfiles(store: ProfileStore) {
  return {
    async get(caller: Caller): Promise<Profile> {
      const row = await store.find(caller.userId)
      if (!row) throw new ApiError('user_profile_not_found')
      return shape(row)
    },
    async create(caller: Caller): Promise<Profile> {
      const row = await store.insert({
        user_id: caller.userId,
        auth0_id: `email|${caller.userId}`,
        username: caller.email.split('@')[0] || caller.userId,
        primary_email: caller.email,
      })
      if (!row) throw new ApiError('profile_exists')
      return shape(row)
    },
  }
}
export type Profiles = ReturnType<typeof createProfiles>
