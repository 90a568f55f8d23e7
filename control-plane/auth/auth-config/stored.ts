import { authKeys, isSecret, settingOf } from '#contract/auth/auth-config-keys'
import type { AuthKey, AuthSettings } from '#contract/auth/auth-config-keys'
import type { Secrets } from '#kit/secrets'
import type { StoredConfig } from './store.ts'

type Deps = {
  secrets: Pick<Secrets, 'seal' | 'open'>
  /** What holds here until a project says otherwise, where that depends on the installation. */
  installed: Partial<AuthSettings>
}

/** A sealed secret opens for this project and key only. */
const identityOf = (ref: string, key: AuthKey) => `auth config ${ref} ${key}`

/** Until the backslash was a symbol of passwords as well, it stood in their requirements for the colon alone. */
const asWrittenNow = (key: AuthKey, value: unknown) =>
  key === 'PASSWORD_REQUIRED_CHARACTERS' && typeof value === 'string'
    ? value.replace(/(?<!\\)\\:/, String.raw`\\:`)
    : value

/** Between what is kept and what it stands for. */
export function createStored({ secrets, installed }: Deps) {
  const defaults = {
    ...Object.fromEntries(authKeys.map((key) => [key, settingOf(key).default])),
    ...installed,
  } as AuthSettings // by the keys of the table, each with a value of its type

  /** What was chosen, secrets in clear; everything else has its default. */
  function chosen(ref: string, { settings, sealed }: StoredConfig): Partial<AuthSettings> {
    const entries = authKeys.flatMap((key): [AuthKey, unknown][] => {
      const secret = sealed[key]
      if (secret !== undefined) return [[key, secrets.open(secret, identityOf(ref, key))]]
      return key in settings ? [[key, asWrittenNow(key, settings[key])]] : []
    })
    return Object.fromEntries(entries) as Partial<AuthSettings> // checked when they were written
  }

  return {
    installed,
    chosen,
    all: (ref: string, stored: StoredConfig): AuthSettings => ({
      ...defaults,
      ...chosen(ref, stored),
    }),

    /**
     * What to keep of these changes; null for a key takes the default back. A choice that is the default is not kept,
     * except where the default is the installation's: it may be another one tomorrow.
     */
    keep(ref: string, stored: StoredConfig, changes: ReadonlyMap<AuthKey, unknown>): StoredConfig {
      const settings = { ...stored.settings }
      const sealed = { ...stored.sealed }
      for (const [key, value] of changes) {
        delete settings[key]
        delete sealed[key]
        const isDefault = value === null || (!(key in installed) && value === defaults[key])
        if (isDefault) continue
        if (!isSecret(key)) settings[key] = value
        else if (typeof value === 'string') sealed[key] = secrets.seal(value, identityOf(ref, key))
      }
      return { settings, sealed }
    },
  }
}
export type Stored = ReturnType<typeof createStored>
