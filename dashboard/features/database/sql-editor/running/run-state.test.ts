import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { afterEvent, begun, failureOf, type RunState } from './run-state.ts'

const stateOf = (events: RunEvent[]): RunState => events.reduce(afterEvent, begun)
const statement = (index: number, limited_to: number | null = null): RunEvent => ({
  type: 'statement',
  index,
  start: 0,
  end: 1,
  line: 1,
  limited_to,
})
const done = (index: number, rows: number): RunEvent => ({
  type: 'done',
  index,
  command: 'SELECT',
  rows,
  ms: 2,
  cut: false,
})

test('rows stand in the order in which they came, whatever the pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string())), (pieces) => {
      const events = pieces.map((piece): RunEvent => ({
        type: 'rows',
        index: 0,
        rows: piece.map((cell) => [cell]),
      }))
      const [result] = stateOf([statement(0), ...events, done(0, pieces.flat().length)]).statements
      expect(result?.rows.map(([cell]) => cell)).toEqual(pieces.flat())
      expect(result?.received).toBe(result?.count)
    }),
  )
})

test('an event changes its own statement only', () => {
  const before = stateOf([statement(0, 100), done(0, 1), statement(1)])
  const after = afterEvent(before, { type: 'fields', index: 1, fields: [] })
  expect(after.statements[0]).toBe(before.statements[0])
  expect(after.statements[0]).toMatchObject({ status: 'done', limitedTo: 100 })
  expect(after.statements[1]?.fields).toEqual([])
})

test('an error ends its statement, the run ends with its end', () => {
  const error = { message: 'no', code: '42P01', severity: 'ERROR', formattedError: 'no' }
  const failed = stateOf([statement(0), done(0, 0), statement(1)])
  expect(failureOf(failed)).toBeUndefined()
  const state = afterEvent(failed, { type: 'error', index: 1, ms: 3, error })
  expect(state.phase).toBe('running')
  expect(failureOf(state)).toMatchObject({ index: 1, error, ms: 3 })
  expect(afterEvent(state, { type: 'end', ms: 9, rolled_back: true })).toMatchObject({
    phase: 'ended',
    ms: 9,
    rolledBack: true,
  })
})

test('notices are kept with their statement', () => {
  const state = stateOf([
    statement(0),
    { type: 'notice', index: 0, severity: 'NOTICE', message: 'hello', hint: 'h' },
  ])
  expect(state.notices).toEqual([{ index: 0, severity: 'NOTICE', message: 'hello', hint: 'h' }])
})
