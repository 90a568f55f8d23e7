import { isOAuthScope, type OAuthScopeArea } from '#contract/organizations/oauth-scopes'
import { areaWords, scopeWords } from './scope-words.ts'

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
