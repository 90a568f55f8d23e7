import { expect, test } from 'vitest'
import { isHere, notHere, offeredComparison } from './capabilities.ts'
import { planComparison } from './billing/plan-comparison.ts'
import { pricingPlans } from './billing/pricing-plans.ts'

const titles = planComparison
  .flatMap(({ features }) => [...features])
  .filter(({ key }) => !isHere(key))
  .map(({ title }) => title)

test('each row that is not here is one of the catalogue, named once', () => {
  expect(new Set(notHere).size).toBe(notHere.length)
  expect(titles).toHaveLength(notHere.length)
})

test('the comparison keeps its eight sections, and each offers something', () => {
  expect(offeredComparison.map(({ title }) => title)).toEqual(
    planComparison.map(({ title }) => title),
  )
  for (const { features } of offeredComparison) expect(features.length).toBeGreaterThan(0)
  const shown = offeredComparison.flatMap(({ features }) => features.map(({ title }) => title))
  expect(shown.filter((title) => titles.includes(title))).toEqual([])
})

test('the cards of the plans promise none of it', () => {
  const texts = pricingPlans.flatMap(({ features, description }) => [
    description,
    ...features.flat(),
  ])
  const words =
    /branch|log drain|metrics|hipaa|soc ?2|sla\b|slas\b|byo|cdn|slack|24×7|questionnaire/i
  expect(texts.filter((text) => words.test(text))).toEqual([])
})
