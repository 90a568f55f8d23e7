import type { AuthKey } from '#contract/auth-config-keys'
import type { Caution, SettingChanges } from './setting-field.ts'

/** Asks before a way to sign in is taken from those who have no other. */
export const beforeClosing =
  (key: AuthKey, name: string) =>
  (changes: SettingChanges): Caution | undefined =>
    changes[key] === false
      ? {
          title: `Disable sign-in with ${name}?`,
          verb: 'Disable',
          text: `Users who only sign in this way cannot come back until it is enabled again. Sessions that exist go on.`,
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
          text: 'Users who have added such a factor cannot show it any more. What your app or your policies only allow with a second factor (aal2) is closed to them until it is enabled again.',
        }
      : undefined

/** Asks before requests without a solved captcha are refused. */
export const beforeCaptcha = (changes: SettingChanges): Caution | undefined =>
  changes.SECURITY_CAPTCHA_ENABLED === true
    ? {
        title: 'Ask for a captcha?',
        verb: 'Ask for it',
        text: 'From now on the auth service refuses to sign anybody in or up without a solved captcha. Apps that do not show one yet, those that are installed included, stop working for people who are not signed in.',
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
        text: 'It counts for sessions that exist, too: those beyond the limit end the next time they are refreshed, and their users have to sign in again.',
      }
    : undefined
