import { expect, test } from 'vitest'
import { authKeys } from '#contract/auth/auth-config-keys'
import { closedBy } from './setting-field.ts'

test('a setting of a larger plan is closed to a smaller one, and says which it needs', () => {
  expect(closedBy('SAML_ENABLED', 'free')).toEqual({
    reason: 'Comes with the Pro plan.',
    byPlan: true,
  })
  expect(closedBy('SAML_ENABLED', 'team')).toBeUndefined()
})

test('nothing is closed on the largest plan', () => {
  expect(authKeys.filter((key) => closedBy(key, 'enterprise'))).toEqual([])
})
