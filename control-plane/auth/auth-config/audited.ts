import { isSecret, type AuthKey, type AuthSettings } from '#contract/auth/auth-config-keys'

/** Most characters of a text in the audit log, which keeps every version of every mail otherwise. */
const longestShown = 200

/** These settings for the audit log: of secrets only whether there is one, of long texts the beginning. */
export const shownChange = (settings: AuthSettings, names: readonly AuthKey[]) =>
  Object.fromEntries(names.map((key) => [key, shown(key, settings[key])]))

function shown(key: AuthKey, value: AuthSettings[AuthKey]): unknown {
  if (isSecret(key)) return value === '' ? 'none' : 'set'
  if (typeof value !== 'string' || value.length <= longestShown) return value
  return `${value.slice(0, longestShown)}…`
}
