import type { AuthSettings } from '#contract/auth/auth-config-keys'
import { authHooks, hookSecretsOf, hookTargetOf } from '#contract/auth/auth-hooks'
import type { Captcha } from '../auth/config.ts'
import type { AuthConfig } from '../auth/config.ts'

/** What guards the accounts of a project beside passwords and codes. */
export function protectionOf(
  s: AuthSettings,
): Pick<AuthConfig, 'sessionPolicy' | 'hooks' | 'captcha' | 'leakedPasswords'> {
  return {
    hooks: hooksOf(s),
    captcha: captchaOf(s),
    leakedPasswords: s.PASSWORD_HIBP_ENABLED ? {} : undefined,
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

/** The hooks that are on; the settings are checked before they are kept. */
function hooksOf(s: AuthSettings): AuthConfig['hooks'] {
  const hooks = authHooks.flatMap((name) => {
    const target = hookTargetOf(s[`HOOK_${name}_URI`])
    const secrets = hookSecretsOf(s[`HOOK_${name}_SECRETS`])
    return s[`HOOK_${name}_ENABLED`] && target ? [[name, { ...target, secrets }] as const] : []
  })
  return Object.fromEntries(hooks)
}

/** The provider is one of the two, by the settings' own check. */
function captchaOf(s: AuthSettings): Captcha | undefined {
  const kind = s.SECURITY_CAPTCHA_PROVIDER === 'turnstile' ? 'turnstile' : 'hcaptcha'
  const secret = s.SECURITY_CAPTCHA_SECRET
  return s.SECURITY_CAPTCHA_ENABLED ? { kind, secret } : undefined
}
