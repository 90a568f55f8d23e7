import { expect, test } from 'vitest'
import { authKeys } from '#contract/auth-config-keys'
import { notOffered } from '#contract/auth-config-offered'
import { closedBy } from './closed.ts'

test('a setting of a larger plan is closed to a smaller one, and says which it needs', () => {
  expect(closedBy('SAML_ENABLED', 'free')).toEqual({
    reason: 'Comes with the Pro plan.',
    byPlan: true,
  })
  expect(closedBy('SAML_ENABLED', 'team')).toBeUndefined()
})

test('what the service does not offer is closed to everybody, and nothing else is on the largest plan', () => {
  const closed = authKeys.filter((key) => closedBy(key, 'enterprise'))
  expect(closed.toSorted()).toEqual(notOffered.toSorted())
})
