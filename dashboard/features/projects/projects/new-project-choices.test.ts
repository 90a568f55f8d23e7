import { expect, test } from 'vitest'
import { cloudProviders } from '#contract/projects/cloud-providers'
import {
  computeOptions,
  providerOptions,
  regionOptions,
  sizeFor,
  startSize,
} from './new-project-choices.ts'

test('a free organization can choose Nano only, and sees why', () => {
  const options = computeOptions('free', true)
  expect(options.filter((option) => !option.disabledReason).map((option) => option.value)).toEqual([
    'nano',
  ])
  expect(startSize('free')).toBe('nano')
})

test('a paid organization starts with Micro and has no Nano', () => {
  const options = computeOptions('pro', true)
  expect(options.every((option) => !option.disabledReason)).toBe(true)
  expect(options[0]?.value).toBe('micro')
  expect(startSize('team')).toBe('micro')
})

test('a size that another plan has gives way to the smallest', () => {
  expect(sizeFor('pro', 'nano')).toBe('micro')
  expect(sizeFor('free', 'large')).toBe('nano')
  expect(sizeFor('team', 'large')).toBe('large')
  expect(sizeFor('free', 'nano')).toBe('nano')
})

test('the regions of a continent stand together', () => {
  const groups = regionOptions('AWS').map((option) => option.group)
  expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([
    'Americas',
    'Europe',
    'Asia and Pacific',
  ])
  expect(regionOptions('AWS')).toHaveLength(16)
  expect(regionOptions('FLY').map(({ value, group }) => [value, group])).toEqual([
    ['sin', 'Asia and Pacific'],
  ])
})

test('providers go by the names of the requirements, and one by the name that the operator gives it', () => {
  const all = { cloud_providers: [...cloudProviders], aws_nimbus_label: 'AWS Nimbus' }
  expect(providerOptions(all).map(({ label }) => label)).toEqual([
    'AWS',
    'AWS Revamped',
    'AWS Nimbus',
    'Fly.io',
  ])
  expect(providerOptions({ ...all, aws_nimbus_label: 'Our cloud' })[2]?.label).toBe('Our cloud')
})
