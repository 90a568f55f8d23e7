import { expect, test } from 'vitest'
import { defaultRegion, placeOf } from './regions.ts'

test.each([
  ['America/New_York', 'us-east-1'],
  ['Europe/Berlin', 'eu-central-1'],
  ['Africa/Lagos', 'eu-central-1'],
  ['Asia/Tokyo', 'ap-southeast-1'],
  ['Australia/Sydney', 'ap-southeast-1'],
  ['Pacific/Auckland', 'ap-southeast-1'],
  ['UTC', 'us-east-1'],
  ['', 'us-east-1'],
])('%s starts with %s', (zone, region) => {
  expect(defaultRegion(zone)).toBe(region)
})

test('the place of a region', () => {
  expect(placeOf('eu-central-1')).toBe('Frankfurt')
  expect(placeOf('mars-1')).toBe('mars-1')
})
