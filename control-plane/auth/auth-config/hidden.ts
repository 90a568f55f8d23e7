import { createHmac } from 'node:crypto'
import {
  authKeys,
  isSecret,
  type AuthKey,
  type AuthSettings,
} from '#contract/auth/auth-config-keys'
import type { Secrets } from '#kit/secrets'

const mark = 'hidden:'

/**
 * What stands in an answer in place of a secret: who may read the settings (every member, tools with a token, whoever
 * sees their logs) must not learn the passwords of the project's mail server and providers from them. It is the same as
 * long as the secret is, so that a program sees whether it was changed; it is made with a key of ours, so that nobody
 * can find a weak password by trying; and it differs by project and key, so that nobody sees where one was used twice.
 */
export function createHidden(secrets: Pick<Secrets, 'derive'>) {
  const key = Buffer.from(secrets.derive('hidden auth settings'), 'hex')

  const hide = (ref: string, name: AuthKey, value: string): string => {
    if (value === '') return ''
    const digest = createHmac('sha256', key).update(JSON.stringify([ref, name, value]))
    return mark + digest.digest('hex').slice(0, 32)
  }

  return {
    isHidden: (value: unknown): boolean => typeof value === 'string' && value.startsWith(mark),
    hide,
    hideAll: (ref: string, settings: AuthSettings): AuthSettings => ({
      ...settings,
      ...Object.fromEntries(
        authKeys.filter(isSecret).map((name) => [name, hide(ref, name, String(settings[name]))]),
      ),
    }),
  }
}
export type Hidden = ReturnType<typeof createHidden>
