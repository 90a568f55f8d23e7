import { expect, test } from 'vitest'
import { outcomeOf } from './call-outcome.ts'

const none = { status_code: null, timed_out: null, error_msg: null, pending: false }

test('a call is told by its status, or by what became of it without one', () => {
  expect(outcomeOf({ ...none, status_code: 204 })).toEqual({ tone: 'success', word: '204' })
  expect(outcomeOf({ ...none, status_code: 302 })).toEqual({ tone: 'warning', word: '302' })
  expect(outcomeOf({ ...none, status_code: 404 })).toEqual({ tone: 'danger', word: '404' })
  expect(outcomeOf({ ...none, timed_out: true, error_msg: 'late' }).word).toBe('Timed out')
  expect(outcomeOf({ ...none, timed_out: false, error_msg: 'refused' }).word).toBe('Failed')
  expect(outcomeOf({ ...none, pending: true }).word).toBe('Waiting')
  expect(outcomeOf(none).word).toBe('Answer no longer kept')
})
