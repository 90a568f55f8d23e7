import { expect, test } from 'vitest'
import { authKeys } from '#contract/auth/auth-config-keys'
import { providerMarks } from '../../../ui/text/ProviderMark.tsx'
import { providers } from './providers.ts'

test('every provider that exists has its panel, and every setting of it a field', () => {
  const fields = new Set(providers.flatMap((one) => one.fields.map(({ key }) => key)))
  const missing = authKeys.filter((key) => key.startsWith('EXTERNAL_') && !fields.has(key))
  // Who may come in at all is said above the list.
  expect(missing).toEqual(['EXTERNAL_ANONYMOUS_USERS_ENABLED'])
})

test('they stand in the order of the facts', () => {
  expect(providers.map(({ title }) => title).slice(0, 8)).toEqual([
    'Email',
    'Phone',
    'SAML 2.0',
    'Apple',
    'Azure',
    'Bitbucket',
    'Discord',
    'Facebook',
  ])
})

test('every provider that is a brand has a mark of its own', () => {
  const own = ['email', 'phone', 'saml']
  const drawn = Object.keys(providerMarks)
  expect(providers.map(({ id }) => id).filter((id) => ![...own, ...drawn].includes(id))).toEqual([])
})
