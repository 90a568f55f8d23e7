import { authKeys, gatesOfSettings, settingOf } from '#contract/auth/auth-config-keys'
import type { AuthKey, AuthSettings } from '#contract/auth/auth-config-keys'
import { authHooks, hookTargetOf, type AuthHook } from '#contract/auth/auth-hooks'
import { hasFeature, planWith } from '#contract/billing/plan-comparison'
import { planNames, type PlanId } from '#contract/billing/plans'

/** A setting that cannot be as it was asked for, and why. */
export type Problem = { key: AuthKey; message: string }

/** Why a plan does not have a setting; undefined when it has. */
function missingIn(plan: PlanId, key: AuthKey): string | undefined {
  const gate = gatesOfSettings[key]
  if (!gate || hasFeature(plan, gate)) return undefined
  const needed = planWith(gate)
  return needed && `comes with the ${planNames[needed]} plan`
}

/** What is asked for and the plan does not have. */
export function beyondPlan(
  changes: Partial<AuthSettings>,
  names: readonly AuthKey[],
  plan: PlanId,
): Problem[] {
  return names.flatMap((key) => {
    const message = missingIn(plan, key)
    return message === undefined || changes[key] === settingOf(key).default
      ? []
      : [{ key, message }]
  })
}

/**
 * What of the settings holds on this plan: one that it does not have is as if nobody had chosen it. The choice itself stays
 * kept, and holds again with the plan.
 */
export function withinPlan<S extends Partial<AuthSettings>>(settings: S, plan: PlanId): S {
  const taken = authKeys.filter((key) => key in settings && missingIn(plan, key) !== undefined)
  return { ...settings, ...Object.fromEntries(taken.map((key) => [key, settingOf(key).default])) }
}

/** The account at each service for text messages: what it cannot do without. */
const smsAccounts: Record<string, readonly AuthKey[]> = {
  twilio: ['SMS_TWILIO_ACCOUNT_SID', 'SMS_TWILIO_AUTH_TOKEN', 'SMS_TWILIO_MESSAGE_SERVICE_SID'],
  twilio_verify: [
    'SMS_TWILIO_VERIFY_ACCOUNT_SID',
    'SMS_TWILIO_VERIFY_AUTH_TOKEN',
    'SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID',
  ],
  messagebird: ['SMS_MESSAGEBIRD_ACCESS_KEY', 'SMS_MESSAGEBIRD_ORIGINATOR'],
  textlocal: ['SMS_TEXTLOCAL_API_KEY', 'SMS_TEXTLOCAL_SENDER'],
  vonage: ['SMS_VONAGE_API_KEY', 'SMS_VONAGE_API_SECRET', 'SMS_VONAGE_FROM'],
}

/** What a provider needs before anybody can sign in there. */
const providers: readonly [AuthKey, readonly AuthKey[]][] = [
  ...(['GITHUB', 'GITLAB', 'GOOGLE', 'SLACK_OIDC'] as const).map(
    (name): [AuthKey, readonly AuthKey[]] => [
      `EXTERNAL_${name}_ENABLED`,
      [`EXTERNAL_${name}_CLIENT_ID`, `EXTERNAL_${name}_SECRET`],
    ],
  ),
  [
    'EXTERNAL_KEYCLOAK_ENABLED',
    ['EXTERNAL_KEYCLOAK_CLIENT_ID', 'EXTERNAL_KEYCLOAK_SECRET', 'EXTERNAL_KEYCLOAK_URL'],
  ],
]

/** What a hook that is on cannot do without: an address, and where it is on the internet a secret to sign with. */
function neededBy(settings: AuthSettings, hook: AuthHook): AuthKey[] {
  if (!settings[`HOOK_${hook}_ENABLED`]) return []
  const uri = `HOOK_${hook}_URI` as const
  const isAddress = hookTargetOf(settings[uri])?.kind === 'http'
  return isAddress ? [uri, `HOOK_${hook}_SECRETS`] : [uri]
}

const mailServer = ['SMTP_HOST', 'SMTP_PORT', 'SMTP_ADMIN_EMAIL', 'SMTP_SENDER_NAME'] as const

/** What does not fit together in the settings as they would be. `hasOutbox`: messages that nobody sends are kept. */
export function contradictionsIn(settings: AuthSettings, hasOutbox: boolean): Problem[] {
  const missing = (keys: readonly AuthKey[], why: string): Problem[] =>
    keys
      .filter((key) => settings[key] === '')
      .map((key) => ({ key, message: `is needed for ${why}` }))
  const problems: Problem[] = []
  for (const [key, needed] of providers) if (settings[key]) problems.push(...missing(needed, key))
  for (const hook of authHooks)
    problems.push(...missing(neededBy(settings, hook), `HOOK_${hook}_ENABLED`))

  const usesPhones = settings.EXTERNAL_PHONE_ENABLED || settings.MFA_PHONE_VERIFY_ENABLED
  if (usesPhones && !settings.HOOK_SEND_SMS_ENABLED) {
    const { SMS_PROVIDER: provider, SMS_TEST_OTP: testNumbers } = settings
    problems.push(...missing(smsAccounts[provider] ?? [], `SMS_PROVIDER ${provider}`))
    if (provider === '' && testNumbers === '' && !hasOutbox) {
      const why = settings.EXTERNAL_PHONE_ENABLED
        ? 'EXTERNAL_PHONE_ENABLED'
        : 'MFA_PHONE_VERIFY_ENABLED'
      problems.push(...missing(['SMS_PROVIDER'], why))
    }
  }
  if (settings.SECURITY_CAPTCHA_ENABLED) {
    problems.push(...missing(['SECURITY_CAPTCHA_SECRET'], 'SECURITY_CAPTCHA_ENABLED'))
  }
  const someMail = [...mailServer, 'SMTP_USER', 'SMTP_PASS'] as const
  if (someMail.some((key) => settings[key] !== '')) {
    problems.push(...missing(mailServer, 'a mail server of its own'))
    const both = ['SMTP_USER', 'SMTP_PASS'] as const
    if (both.some((key) => settings[key] !== '')) {
      problems.push(...missing(both, 'a mail server that asks who sends'))
    }
  }
  for (const kind of ['TOTP', 'PHONE'] as const) {
    if (!settings[`MFA_${kind}_ENROLL_ENABLED`] || settings[`MFA_${kind}_VERIFY_ENABLED`]) continue
    const message = 'must be on as well, or factors that are added could not be shown'
    problems.push({ key: `MFA_${kind}_VERIFY_ENABLED`, message })
  }
  return problems
}
