import { expect, test } from 'vitest'
import { api } from './api.ts'
import { disableableFeatures, features, isSwitchedOff, type Feature } from './features.ts'
import { matchesPattern } from './permissions.ts'

const names = Object.values(api).flatMap((feature) =>
  Object.values(feature).map((endpoint) => endpoint.name),
)
const refusing = Object.entries<Feature>(features).flatMap(([name, feature]) =>
  'refuses' in feature ? [[name, feature.refuses ?? []] as const] : [],
)

test.each(refusing)(
  '%s: each of its patterns takes an endpoint away, and nothing else goes',
  (name, patterns) => {
    for (const pattern of patterns)
      expect(
        names.some((one) => matchesPattern(pattern, one)),
        pattern,
      ).toBe(true)
    for (const one of names) {
      const meant = patterns.some((pattern) => matchesPattern(pattern, one))
      expect(isSwitchedOff(one, [name]), one).toBe(meant)
    }
  },
)

test('nothing is off without the setting, nor by a feature that is another', () => {
  expect(names.filter((name) => isSwitchedOff(name, []))).toEqual([])
  expect(isSwitchedOff('projects.create', ['projects:transfer', 'billing:all'])).toBe(false)
  expect(isSwitchedOff('projects.create', ['projects:create'])).toBe(true)
})

test('the setting knows all 94 names, and no others', () => {
  expect(disableableFeatures.size).toBe(94)
  expect(disableableFeatures.has('sdk:swift')).toBe(true)
  expect(disableableFeatures.has('projects:%')).toBe(false)
  expect(disableableFeatures.has('')).toBe(false)
})

test.each([
  ['project_auth:all', 'authUsers.list', 'v1.updateAuthConfig', 'v1.createSsoProvider'],
  ['project_edge_function:all', 'functions.deploy', 'v1.functionBody', 'v1.deployFunction'],
  ['database:network_restrictions', 'v1.networkRestrictions', 'v1.applyNetworkRestrictions'],
])('%s takes away what it names, in both interfaces', (name, ...refused) => {
  for (const one of refused) expect(isSwitchedOff(one, [name]), one).toBe(true)
})
