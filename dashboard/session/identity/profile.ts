import { useSuspenseQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import type { HideableFeature } from '#contract/features'
import type { Profile } from '#contract/people/profile'
import { call, forget, fresh, q, queryClient } from '../../api/client.ts'
import { toast } from '../../ui/floats/toast.ts'
import { auth } from './auth.ts'
import { afterLoadFailure, creationFailure } from './profile-rules.ts'
import { returnToOf } from './return-to.ts'
import { endSession } from './sign-out.ts'
import { track } from '../telemetry/telemetry.ts'

export const profileQuery = q(profile.get, {}, fresh.profile)

/** Whether who is signed in runs the installation, as far as it is known: the pages of operators ask for nothing otherwise. */
export const isOperator = (): boolean =>
  queryClient.getQueryData(profileQuery.queryKey)?.is_operator === true

/** `off('projects:create')` tells whether the operator has switched a feature off for this person (requirements §6). */
export function useDisabledFeatures(): (feature: HideableFeature) => boolean {
  const { data } = useSuspenseQuery(profileQuery)
  return (feature) => data.disabled_features.includes(feature)
}

/**
 * The signed-in person's profile, created on the first visit. Refused sessions end on the sign-in page (requirements §4).
 */
export async function loadProfile(): Promise<Profile> {
  try {
    return await queryClient.ensureQueryData(profileQuery)
  } catch (error) {
    const move = afterLoadFailure(error)
    switch (move) {
      case 'create':
        break
      case 'sign-out':
        await endSession()
        throw redirect({ to: '/sign-in', search: back() })
      case 'ask-second-factor':
        // The factor was added elsewhere: this browser learns of it with a new token.
        await (await auth()).refreshSession()
        throw redirect({ to: '/sign-in-mfa' })
      case 'fail':
        throw error
      default:
        return move satisfies never
    }
  }
  await createProfile()
  return queryClient.fetchQuery({ ...profileQuery, staleTime: 0 })
}

/** The page that was asked for, for after signing in. */
function back() {
  const returnTo = returnToOf(location.pathname + location.search)
  return returnTo ? { returnTo } : {}
}

let making: Promise<void> | undefined

/** Makes the profile of an account that has none, once for all who ask meanwhile. That it is there already is fine. */
export function createProfile(): Promise<void> {
  making ??= makeProfile().finally(() => (making = undefined))
  return making
}

async function makeProfile(): Promise<void> {
  try {
    await call(profile.create, {})
  } catch (error) {
    const said = creationFailure(error)
    if ('toast' in said) {
      toast.error(said.toast)
      throw error
    }
    console.info(said.log)
    if (import.meta.env.DEV) toast.info(said.log)
    return
  }
  await forget(profile.get, organizations.list, profile.permissions)
  track('sign_up')
}
