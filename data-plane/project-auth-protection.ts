import type { AuthSettings } from '#contract/auth-config-keys'
import type { AuthConfig } from './auth/config.ts'

/** What guards the accounts of a project beside passwords and codes. */
export function protectionOf(s: AuthSettings): Pick<AuthConfig, 'sessionPolicy'> {
  return {
    sessionPolicy: {
      timeboxHours: s.SESSIONS_TIMEBOX,
      inactivityHours: s.SESSIONS_INACTIVITY_TIMEOUT,
      singlePerUser: s.SESSIONS_SINGLE_PER_USER,
      tags: s.SESSIONS_TAGS.split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    },
  }
}
