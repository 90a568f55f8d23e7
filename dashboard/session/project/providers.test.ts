import { expect, test } from 'vitest'
import { providersOf } from './providers.ts'

test('what is on becomes a button, GitHub first; passwords are no place', () => {
  const external = { email: true, phone: true, anonymous_users: true, google: false, slack: true }
  expect(providersOf({ external: { ...external, acme: true, github: true } })).toEqual([
    { name: 'github', label: 'GitHub' },
    { name: 'acme', label: 'acme' },
    { name: 'slack', label: 'slack' },
  ])
})

test('the operator names them', () => {
  const settings = { external: { acme: true, beta: true }, external_labels: { acme: 'Acme Co' } }
  expect(providersOf(settings)).toEqual([
    { name: 'acme', label: 'Acme Co' },
    { name: 'beta', label: 'beta' },
  ])
})

test('settings without a list have no buttons', () => {
  expect(providersOf({})).toEqual([])
})
