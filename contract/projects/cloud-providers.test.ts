import { expect, test } from 'vitest'
import { cloudProviders, defaultProvider, hasRegion, providerFacts } from './cloud-providers.ts'

test('names, and the name of the SSH key, of which only AWS has one', () => {
  expect(cloudProviders.map((id) => [id, providerFacts[id].name])).toEqual([
    ['AWS', 'AWS'],
    ['AWS_K8S', 'AWS Revamped'],
    ['AWS_NIMBUS', 'AWS Nimbus'],
    ['FLY', 'Fly.io'],
  ])
  expect(cloudProviders.filter((id) => providerFacts[id].defaultSshKey)).toEqual(['AWS'])
})

test('default regions: East US 2 in production, Southeast Asia elsewhere; the second set has one', () => {
  for (const id of ['AWS', 'AWS_K8S', 'AWS_NIMBUS'] as const) {
    expect(providerFacts[id].defaultRegion('production')).toBe('us-east-2')
    for (const environment of ['staging', 'preview', 'local'] as const)
      expect(providerFacts[id].defaultRegion(environment)).toBe('ap-southeast-1')
  }
  expect(providerFacts.FLY.defaultRegion('production')).toBe('sin')
  expect(hasRegion('FLY', 'us-east-1')).toBe(false)
  expect(hasRegion('AWS', 'sin')).toBe(false)
})

test('the default provider: AWS_K8S in staging and preview, AWS elsewhere, of what is offered', () => {
  expect(defaultProvider('staging', cloudProviders)).toBe('AWS_K8S')
  expect(defaultProvider('preview', cloudProviders)).toBe('AWS_K8S')
  expect(defaultProvider('production', cloudProviders)).toBe('AWS')
  expect(defaultProvider('staging', ['AWS'])).toBe('AWS')
  expect(defaultProvider('production', ['FLY', 'AWS_K8S'])).toBe('FLY')
})
