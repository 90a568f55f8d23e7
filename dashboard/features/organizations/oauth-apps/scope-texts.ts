import {
  isOAuthScope,
  type OAuthScopeArea,
  type OAuthScope,
  partsOf,
} from '#contract/organizations/oauth-scopes'

/** The areas of scopes in a line: "Projects (write), Storage (read)". */
export function scopesText(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'None'
  const areas = new Map<string, string[]>()
  for (const scope of scopes) {
    const [area = '', kind = ''] = scope.split(':')
    areas.set(area, [...(areas.get(area) ?? []), kind])
  }
  if (areas.size > 3) return `${areas.size} areas`
  return [...areas]
    .map(([area, kinds]) => `${titleOf(area)} (${kinds.includes('write') ? 'write' : 'read'})`)
    .join(', ')
}

const titleOf = (area: string) =>
  Object.hasOwn(areaWords, area)
    ? // hasOwn has just found it.
      areaWords[area as OAuthScopeArea].title
    : area

/** What the scopes allow, one sentence each; those that change something first. */
export const sentencesOf = (scopes: readonly string[]): string[] =>
  scopes
    .filter(isOAuthScope)
    .toSorted((a, b) => Number(b.endsWith(':write')) - Number(a.endsWith(':write')))
    .map(scopeWords)

type Words = {
  title: string
  /** After "Read" and "Change". */
  about: string
}

/** What people read of the areas that scopes are about. */
export const areaWords: Record<OAuthScopeArea, Words> = {
  analytics: { title: 'Analytics', about: 'logs and usage figures' },
  analytics_config: { title: 'Analytics configuration', about: 'log drains and collections' },
  auth: { title: 'Auth', about: 'the auth configuration of projects, and their users' },
  database: { title: 'Database', about: 'the structure and rows of databases, with SQL' },
  domains: { title: 'Domains', about: 'custom domains and vanity subdomains' },
  edge_functions: { title: 'Edge functions', about: 'edge functions and their code' },
  environment: { title: 'Environment', about: 'branches and their environment' },
  organizations: { title: 'Organizations', about: 'the organization and who is in it' },
  projects: { title: 'Projects', about: 'projects, their state and settings' },
  rest: { title: 'Data API', about: 'the configuration of the data API' },
  secrets: { title: 'Secrets', about: 'API keys of projects and secrets of functions' },
  storage: { title: 'Storage', about: 'buckets, files and the storage configuration' },
}

/** "Read projects, their state and settings" */
function scopeWords(scope: OAuthScope): string {
  const { area, kind } = partsOf(scope)
  return `${kind === 'read' ? 'Read' : 'Change'} ${areaWords[area].about}`
}
