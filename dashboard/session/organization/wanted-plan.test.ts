import { expect, test } from 'vitest'
import { tierOfWanted, wantedPlanOf } from './wanted-plan.ts'

test.each(['enterprise', 'tier_pro', '', 'toString', ['pro'], 7, undefined])(
  '?plan=%s asks for nothing',
  (plan) => {
    expect(wantedPlanOf({ plan })).toEqual({})
  },
)

test.each(['free', 'pro', 'team'] as const)('?plan=%s asks for its tier', (plan) => {
  expect(wantedPlanOf({ plan, other: '1' })).toEqual({ plan })
  expect(tierOfWanted(plan)).toBe(`tier_${plan}`)
})
