import type { AuthKey } from '#contract/auth/auth-config-keys'
import type { Caution, SettingChanges } from './setting-field.ts'

/** Asks before a way to sign in is taken from those who have no other. */
export const beforeClosing =
  (key: AuthKey, name: string) =>
  (changes: SettingChanges): Caution | undefined =>
    changes[key] === false
      ? {
          title: `Disable sign-in with ${name}?`,
          verb: 'Disable',
          text: `Users who only sign in this way cannot sign in again until you enable it. Existing sessions continue.`,
        }
      : undefined

/** Asks before a kind of second factor that users have cannot be shown any more. */
export const beforeLosingFactor =
  (key: AuthKey, name: string) =>
  (changes: SettingChanges): Caution | undefined =>
    changes[key] === false
      ? {
          title: `Disable ${name}?`,
          verb: 'Disable',
          text: 'Users who have added this factor can no longer use it. They lose access to what your app or your policies allow only with a second factor (aal2) until you enable it again.',
        }
      : undefined

/** Asks before requests without a solved captcha are refused. */
export const beforeCaptcha = (changes: SettingChanges): Caution | undefined =>
  changes.SECURITY_CAPTCHA_ENABLED === true
    ? {
        title: 'Require a captcha?',
        verb: 'Require captcha',
        text: 'From now on, the auth service refuses sign-ins and sign-ups without a solved captcha. Apps that do not show one yet, including installed ones, stop working for people who are not signed in.',
      }
    : undefined

/** Asks before sessions end that nobody meant to end. */
export const beforeEndingSessions = (changes: SettingChanges): Caution | undefined =>
  changes.SESSIONS_SINGLE_PER_USER === true ||
  changes.SESSIONS_TIMEBOX ||
  changes.SESSIONS_INACTIVITY_TIMEOUT
    ? {
        title: 'Limit sessions?',
        verb: 'Limit sessions',
        text: 'The limit also applies to existing sessions: those beyond it end at their next refresh, and their users have to sign in again.',
      }
    : undefined
