import { expect, test } from 'vitest'
import { realtimeDefaults } from '#contract/realtime/realtime-config'
import { changesOf, problemsIn, takesMuch, valuesOf } from './realtime-values.ts'

const config = realtimeDefaults('tier_free')
const limits = { max_concurrent_users: 200, max_payload_size_in_kb: 250, connection_pool: 30 }
const values = valuesOf(config)

test('what is not a number within the bounds is told', () => {
  const wrong = {
    ...values,
    max_concurrent_users: '201',
    max_payload_size_in_kb: '0',
    max_joins_per_second: '',
    max_events_per_second: '1.5',
    connection_pool: '31',
  }
  expect(problemsIn(wrong, limits)).toEqual({
    max_concurrent_users: 'A whole number from 1 to 200',
    max_payload_size_in_kb: 'A whole number from 1 to 250',
    max_joins_per_second: 'A whole number from 1 to 5000',
    max_events_per_second: 'A whole number from 1 to 50000',
    connection_pool: 'A whole number from 1 to 30, or nothing',
  })
  expect(problemsIn(values, limits)).toEqual({})
})

test('only what was changed is sent', () => {
  expect(changesOf(values, config)).toEqual({})
  expect(changesOf({ ...values, private_only: true, connection_pool: ' 7 ' }, config)).toEqual({
    private_only: true,
    connection_pool: 7,
  })
  expect(changesOf(values, { ...config, connection_pool: 7 })).toEqual({ connection_pool: null })
})

test('more than half of the connections is much', () => {
  expect(takesMuch('15', limits)).toBe(false)
  expect(takesMuch('16', limits)).toBe(true)
  expect(takesMuch('', limits)).toBe(false)
})
