import { expect, test } from 'vitest'
import { api } from '../api.ts'
import { matchesPattern } from '../permissions.ts'
import { isPlatformOnly, platformOnlyEndpoints } from './platform-only.ts'

const names = Object.values(api).flatMap((feature) =>
  Object.values(feature).map(({ name }) => name),
)

test('every pattern takes away something that exists', () => {
  for (const pattern of platformOnlyEndpoints) {
    expect([pattern, names.some((name) => matchesPattern(pattern, name))]).toEqual([pattern, true])
  }
})

test('what a project itself is made of stays', () => {
  const kept = ['projects.detail', 'projects.settings', 'pg-meta.tables', 'snippets.put']
  for (const name of [...kept, 'profile.get', 'organizations.list', 'billing.overdue']) {
    expect([name, isPlatformOnly(name)]).toEqual([name, false])
  }
})
