import { expect, test } from 'vitest'
import { grantsOfScopes, oauthScopeAreas, oauthScopes } from './oauth-scopes.ts'
import { actions, allows, type Action } from '../permissions.ts'

const can = (scopes: string[], action: Action, resource: string) =>
  allows(
    grantsOfScopes(scopes).map((grant) => ({
      actions: [...grant.actions],
      resources: [...grant.resources],
      condition: null,
      restrictive: false,
      organization_id: 1,
      organization_slug: 'acme',
      project_ids: [],
      project_refs: [],
    })),
    action,
    resource,
    { organizationSlug: 'acme' },
  )

test('twelve areas, each to read and to write', () => {
  expect(oauthScopeAreas).toHaveLength(12)
  expect(oauthScopes).toHaveLength(24)
  expect(new Set(oauthScopes).size).toBe(24)
})

test('a read scope never changes anything', () => {
  const reading = oauthScopes.filter((scope) => scope.endsWith(':read'))
  const allowed = actions.filter((action) => can(reading, action, 'anything'))
  expect(allowed.filter((action) => !/Read/.test(action))).toEqual([])
  for (const resource of ['projects', 'organizations', 'user_content', 'api_keys'])
    for (const action of ['write:Create', 'write:Update', 'write:Delete'] as const)
      expect(can(reading, action, resource)).toBe(false)
})

test('no scope reaches members, roles, bills, other apps, the transfer or the end of an organization', () => {
  const every = [...oauthScopes]
  const kept: [Action, string][] = [
    ['write:Create', 'user_invites'],
    ['write:Delete', 'user_invites'],
    ['write:Create', 'auth.subject_roles'],
    ['write:Create', 'members'],
    ['write:Update', 'members'],
    ['write:Delete', 'members'],
    ['billing:Read', 'stripe.subscriptions'],
    ['billing:Write', 'stripe.subscriptions'],
    ['read:Read', 'invoices'],
    ['read:Read', 'approved_oauth_apps'],
    ['write:Create', 'approved_oauth_apps'],
    ['write:Update', 'approved_oauth_apps'],
    ['write:Update', 'projects.transfer'],
    ['write:Delete', 'organizations'],
  ]
  expect(kept.filter(([action, resource]) => can(every, action, resource))).toEqual([])
})

test('texts that are no scope give nothing', () => {
  expect(grantsOfScopes(['projects', 'projects:admin', '%', 'constructor:read'])).toEqual([])
})
