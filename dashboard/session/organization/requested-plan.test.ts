import { expect, test } from 'vitest'
import { tierOfRequested, requestedPlanOf } from './requested-plan.ts'

test.each(['enterprise', 'tier_pro', '', 'toString', ['pro'], 7, undefined])(
  '?plan=%s asks for nothing',
  (plan) => {
    expect(requestedPlanOf({ plan })).toEqual({})
  },
)

test.each(['free', 'pro', 'team'] as const)('?plan=%s asks for its tier', (plan) => {
  expect(requestedPlanOf({ plan, other: '1' })).toEqual({ plan })
  expect(tierOfRequested(plan)).toBe(`tier_${plan}`)
})
