import type { AuthKey } from '#contract/auth/auth-config-keys'
import { addOnVariant, phoneFactorVariant } from '#contract/billing/add-ons'
import { formatRate } from '#contract/billing/money'
import type { Caution, Circumstances, SettingChanges } from './setting-field.ts'

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

const phone = addOnVariant(phoneFactorVariant)

/** Tells what codes by text message cost before they are switched on, and asks before users lose them. */
export function beforePhoneFactor(
  changes: SettingChanges,
  { before, hasPrices }: Circumstances,
): Caution | undefined {
  const losing = beforeLosingFactor('MFA_PHONE_VERIFY_ENABLED', 'codes by SMS')(changes)
  const isOn = before.MFA_PHONE_VERIFY_ENABLED || before.MFA_PHONE_ENROLL_ENABLED
  const switchesOn =
    changes.MFA_PHONE_VERIFY_ENABLED === true || changes.MFA_PHONE_ENROLL_ENABLED === true
  if (losing || isOn || !switchesOn || !hasPrices || !phone) return losing
  return {
    title: 'Enable text message codes?',
    verb: 'Enable',
    harmless: true,
    text: `Advanced MFA by phone is an add-on: ${formatRate(phone.rate)} a month for the first project of the organization and ${formatRate(phone.additionalRate ?? phone.rate)} for each further one, for the time in which it is on. It is charged with the next invoice, and the spend cap does not cover it. Your SMS provider charges for the messages.`,
  }
}

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
