import { type OAuthScope, type OAuthScopeArea, partsOf } from '#contract/organizations/oauth-scopes'

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
export function scopeWords(scope: OAuthScope): string {
  const { area, kind } = partsOf(scope)
  return `${kind === 'read' ? 'Read' : 'Change'} ${areaWords[area].about}`
}
