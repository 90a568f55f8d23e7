import { useSuspenseQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { api } from '#contract/api'
import type { Profile } from '#contract/profile'
import { call, CallError, forget, fresh, q, queryClient } from '../api/client.ts'
import { toast } from '../ui/toast.ts'
import { signOut } from './sign-out.ts'

export const profileQuery = q(api.profile.get, {}, fresh.profile)

/** `off('projects:create')` tells whether the operator has switched a feature off for this person (requirements §6). */
export function useDisabledFeatures(): (feature: string) => boolean {
  const { data } = useSuspenseQuery(profileQuery)
  return (feature) => data.disabled_features.includes(feature)
}

/** Whether the server said that this account has no profile yet. */
export const isProfileMissing = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.reason === 'user_profile_not_found' || error.message.includes("User's profile not found"))

/**
 * The signed-in person's profile, created on the first visit. Refused sessions end on the sign-in page (requirements §4).
 */
export async function loadProfile(): Promise<Profile> {
  try {
    return await queryClient.ensureQueryData(profileQuery)
  } catch (error) {
    if (error instanceof CallError && error.code === 401) {
      await signOut()
      throw redirect({ to: '/sign-in' })
    }
    if (!isProfileMissing(error)) throw error
  }
  await createProfile()
  return queryClient.fetchQuery({ ...profileQuery, staleTime: 0 })
}

/** Makes the profile of an account that has none. That it is there already is fine. */
export async function createProfile() {
  try {
    await call(api.profile.create, {})
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 409) {
      toast.error(creationFailure(error))
      throw error
    }
    // Another tab was first: the profile is there.
    console.info('Profile already exists')
    if (import.meta.env.DEV) toast.info('Profile already exists')
    return
  }
  await forget(api.profile.get, api.organizations.list, api.profile.permissions)
}

/** A refusal has something to say; for everything else trying again is the advice. */
const creationFailure = (error: unknown) =>
  error instanceof CallError && error.code >= 400 && error.code < 500
    ? `Failed to create profile: ${error.message}`
    : 'Failed to create your profile. Please refresh to try again.'
