import { apiKeys } from '#contract/projects/api-keys'
import { authConfig } from '#contract/auth/auth-config'
import { projects } from '#contract/projects/projects'
import { signingKeys } from '#contract/projects/signing-keys'
import { q } from '../../../api/client.ts'

export const signingKeysQuery = (ref: string) => q(signingKeys.list, { ref })
export const settingsQuery = (ref: string) => q(projects.settings, { ref })
/** How long tokens live stands among the settings of the auth service. */
export const authConfigQuery = (ref: string) => q(authConfig.get, { ref })
export const legacyKeysQuery = (ref: string) => q(apiKeys.legacy, { ref })
