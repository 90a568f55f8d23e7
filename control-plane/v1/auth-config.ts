import type { v1AuthConfig as api } from '#contract/auth/auth-config'
import { authKeys, type AuthKey, type AuthSettings } from '#contract/auth/auth-config-keys'
import { authAnswerRest } from '#contract/auth/auth-config-absent'
import type { Output, Parsed } from '#contract/endpoint'

export type V1AuthConfig = Output<typeof api.authConfig>
type V1Changes = Omit<Parsed<typeof api.updateAuthConfig>, 'ref'>
type Changes = { [K in AuthKey]?: AuthSettings[K] | null | undefined }

/** How programs of /v1 call a setting. */
export const v1Key = (key: AuthKey): string => key.toLowerCase()

export const v1AuthConfig = (settings: AuthSettings): V1AuthConfig =>
  // The same settings by the lower-case names of all keys, which fromEntries forgets.
  Object.fromEntries([
    ...authKeys.map((key) => [v1Key(key), settings[key]]),
    ...Object.entries(authAnswerRest),
    ['smtp_admin_email', settings.SMTP_ADMIN_EMAIL || null],
    ['sms_provider', settings.SMS_PROVIDER || null],
  ]) as V1AuthConfig

export function authChanges(changes: V1Changes): Changes {
  const given = new Map(Object.entries(changes))
  // Each value was checked under the lower-case name of its key.
  return Object.fromEntries(authKeys.map((key) => [key, given.get(v1Key(key))])) as Changes
}
