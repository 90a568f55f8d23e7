import type { AuthKey } from './auth-config-keys.ts'

/**
 * Settings that are known and kept but that no service acts on yet: each can only have its default value. What belongs
 * to such a switch (a hook's address, the account at a provider) can be stored, because it does nothing until the
 * switch is on. A key leaves this list when `data-plane/project-auth-config.ts` gives it an effect.
 */
export const notOffered: readonly AuthKey[] = ['SAML_ALLOW_ENCRYPTED_ASSERTIONS']

export const isOffered = (key: AuthKey): boolean => !notOffered.includes(key)

export const notOfferedReason = 'the auth service of this installation does not offer this yet'
