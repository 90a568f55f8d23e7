import { expect, test } from 'vitest'
import { computeOptions, regionOptions, sizeFor, startSize } from './new-project-choices.ts'

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
  const groups = regionOptions.map((option) => option.group)
  expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([
    'Americas',
    'Europe',
    'Asia and Pacific',
  ])
})
