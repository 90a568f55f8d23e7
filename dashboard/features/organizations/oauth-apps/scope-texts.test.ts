import { expect, test } from 'vitest'
import { oauthScopes } from '#contract/organizations/oauth-scopes'
import { scopesText, sentencesOf } from './scope-texts.ts'

test('scopes in a line: their areas, and how many when they are many', () => {
  expect(scopesText([])).toBe('None')
  expect(scopesText(['projects:read'])).toBe('Projects (read)')
  expect(scopesText(['projects:read', 'projects:write', 'rest:read'])).toBe(
    'Projects (write), Data API (read)',
  )
  expect(scopesText(['auth:read', 'rest:read', 'projects:read', 'storage:read'])).toBe('4 areas')
  expect(scopesText(['constructor:read'])).toBe('constructor (read)')
})

test('scopes as sentences: what changes something stands first, what is unknown is left out', () => {
  expect(sentencesOf(['projects:read', 'storage:write', 'everything:write'])).toEqual([
    'Change buckets, files and the storage configuration',
    'Read projects, their state and settings',
  ])
})

test('every scope has a sentence of its own', () => {
  expect(new Set(sentencesOf(oauthScopes)).size).toBe(oauthScopes.length)
})
