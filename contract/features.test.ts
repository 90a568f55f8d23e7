import { expect, test } from 'vitest'
import { api } from './api.ts'
import { disableableFeatures, featureEndpoints, isSwitchedOff } from './features.ts'
import { matchesPattern } from './permissions.ts'

const names = Object.values(api).flatMap((feature) =>
  Object.values(feature).map((endpoint) => endpoint.name),
)
const areaOf = (name: string) => name.split('.')[0]
/** Endpoints of projects' own services come with these; until then there is nothing to refuse. */
const areas = new Set(names.map(areaOf))

test.each(Object.entries(featureEndpoints))('%s switches endpoints off', (feature, patterns) => {
  const hit = names.filter((name) => isSwitchedOff(name, [feature]))
  const exists = patterns.some((pattern) => areas.has(areaOf(pattern)))
  expect(hit.length > 0).toBe(exists)
  for (const name of names.filter((one) => !hit.includes(one))) {
    expect(patterns.some((pattern) => matchesPattern(pattern, name))).toBe(false)
  }
})

test('nothing is off without the setting, nor by a feature that is another', () => {
  expect(names.filter((name) => isSwitchedOff(name, []))).toEqual([])
  expect(isSwitchedOff('projects.create', ['projects:transfer', 'billing:all'])).toBe(false)
  expect(isSwitchedOff('projects.create', ['projects:create'])).toBe(true)
})

test('the setting knows the names of both lists, and no others', () => {
  expect(disableableFeatures.has('projects:create')).toBe(true)
  expect(disableableFeatures.has('sdk:swift')).toBe(true)
  expect(disableableFeatures.has('projects:%')).toBe(false)
  expect(disableableFeatures.has('')).toBe(false)
})
