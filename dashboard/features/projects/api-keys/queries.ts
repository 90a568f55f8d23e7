import { apiKeys } from '#contract/projects/api-keys'
import { projects } from '#contract/projects/projects'
import { q } from '../../../api/client.ts'

export const apiKeysQuery = (ref: string) => q(apiKeys.list, { ref })
export const neededQuery = (ref: string) => q(apiKeys.needed, { ref })
export const legacyQuery = (ref: string) => q(apiKeys.legacy, { ref })

/** Other pages show keys as well: those that the settings of a project name. */
export const ofKeys = [apiKeys.list, apiKeys.legacy, apiKeys.needed, projects.settings]
