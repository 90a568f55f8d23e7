import { expect, test } from 'vitest'
import { placeOf, startRegion } from './regions.ts'

test.each([
  ['America/New_York', 'us-east-1'],
  ['Europe/Berlin', 'eu-central-1'],
  ['Africa/Lagos', 'eu-central-1'],
  ['Asia/Tokyo', 'ap-southeast-1'],
  ['Australia/Sydney', 'ap-southeast-1'],
  ['Pacific/Auckland', 'ap-southeast-1'],
  ['UTC', 'us-east-2'],
  ['', 'us-east-2'],
])('%s starts with %s', (zone, region) => {
  expect(startRegion(zone, 'AWS', 'production')).toBe(region)
})

test('where nothing is known, the default of the provider and of what the installation is for', () => {
  expect(startRegion('UTC', 'AWS', 'staging')).toBe('ap-southeast-1')
  expect(startRegion('Europe/Berlin', 'AWS_K8S', 'staging')).toBe('eu-central-1')
  expect(startRegion('Europe/Berlin', 'FLY', 'production')).toBe('sin')
})

test('the place of a region', () => {
  expect(placeOf('eu-central-1')).toBe('Frankfurt')
  expect(placeOf('sin')).toBe('Singapore')
  expect(placeOf('mars-1')).toBe('mars-1')
})
