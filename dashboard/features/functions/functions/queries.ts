import { functions } from '#contract/functions/functions'
import type { UsageRange } from '#contract/projects/project-home'
import { v1Functions } from '#contract/v1/v1-functions'
import { v1Secrets } from '#contract/v1/v1-secrets'
import { q } from '../../../api/client.ts'

export const functionsQuery = (ref: string) => q(v1Functions.functions, { ref })
export const functionQuery = (ref: string, slug: string) =>
  q(v1Functions.function, { ref, function_slug: slug })
export const versionsQuery = (ref: string, slug: string) =>
  q(functions.versions, { ref, function_slug: slug })
export const versionQuery = (ref: string, slug: string, version: number) =>
  q(functions.version, { ref, function_slug: slug, version })
export const removedQuery = (ref: string) => q(functions.removed, { ref })
export const secretsQuery = (ref: string) => q(v1Secrets.secrets, { ref })

/** Counts come in every few seconds. */
export const usageQuery = (ref: string, slug: string, range: UsageRange) => ({
  ...q(functions.usage, { ref, function_slug: slug, range }),
  refetchInterval: 10_000,
})

export const ofFunctions = [
  v1Functions.functions,
  v1Functions.function,
  functions.versions,
  functions.removed,
]
export const ofSecrets = [v1Secrets.secrets]
