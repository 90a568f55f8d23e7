import { CallError } from '../../api/call-error.ts'

/** Whether the server said that this account has no profile yet. */
export const isProfileMissing = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.reason === 'user_profile_not_found' || error.message.includes("User's profile not found"))

/** What the failure to read the profile leads to (requirements §4, "Profile load"). */
export function afterLoadFailure(
  error: unknown,
): 'create' | 'sign-out' | 'ask-second-factor' | 'fail' {
  if (!(error instanceof CallError)) return 'fail'
  if (error.code === 401) return 'sign-out'
  if (error.reason === 'second_factor_missing') return 'ask-second-factor'
  return isProfileMissing(error) ? 'create' : 'fail'
}

/**
 * What is said about a profile that could not be made (requirements §8). A 409 means that it is there: another tab was first. A
 * refusal has something to say; for everything else trying again is the advice.
 */
export function creationFailure(error: unknown): { toast: string } | { log: string } {
  if (error instanceof CallError && error.code === 409) return { log: 'Profile already exists' }
  return {
    toast:
      error instanceof CallError && error.code >= 400 && error.code < 500
        ? `Failed to create profile: ${error.message}`
        : 'Failed to create your profile. Please refresh to try again.',
  }
}
