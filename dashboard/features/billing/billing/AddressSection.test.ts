import { expect, test } from 'vitest'
import { countries } from './AddressSection.tsx'

test('every country has two letters of its own and a name, in the order of the names', () => {
  expect(countries.length).toBe(224)
  for (const { value, label } of countries) {
    expect(value).toMatch(/^[A-Z]{2}$/)
    expect(label).toMatch(/^\p{Lu}\S+/u)
  }
  expect(new Set(countries.map(({ value }) => value)).size).toBe(countries.length)
  const sorted = countries.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
  expect(countries).toEqual(sorted)
  expect(countries).toContainEqual({ value: 'CI', label: 'Côte d’Ivoire' })
})
