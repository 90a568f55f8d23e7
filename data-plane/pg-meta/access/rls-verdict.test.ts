import { expect, test } from 'vitest'
import { asked, combined, outcomeOf, type RlsPolicy } from './rls-verdict.ts'

const policy = (id: number, more: Partial<RlsPolicy>): RlsPolicy => ({
  id,
  permissive: true,
  command: '*',
  using: null,
  check: null,
  ...more,
})
const permit = (answer: boolean | null | 'failed') => ({ permissive: true, answer })
const restrict = (answer: boolean | null | 'failed') => ({ permissive: false, answer })

test('nobody is let through by nothing', () => {
  expect(combined([])).toBe(false)
  expect(combined([restrict(true)])).toBe(false)
})

test('one permissive policy is enough, each restrictive one is needed', () => {
  expect(combined([permit(false), permit(true)])).toBe(true)
  expect(combined([permit(null), permit(false)])).toBe(false)
  expect(combined([permit(true), restrict(true), restrict(true)])).toBe(true)
  expect(combined([permit(true), restrict(true), restrict(null)])).toBe(false)
  expect(combined([permit(true), restrict('failed')])).toBe(null)
})

test('a new row is asked for by the check, and by USING where there is none', () => {
  const all = policy(1, { using: 'a' })
  const checked = policy(2, { command: 'w', using: 'b', check: 'c' })
  const inserting = policy(3, { command: 'a', check: 'd' })
  const silent = policy(4, { command: 'a' })
  const expressions = (...of: Parameters<typeof asked>) => asked(...of).map((one) => one.expression)
  const every = [all, checked, inserting, silent]
  expect(expressions(every, 'UPDATE', 'change')).toEqual(['a', 'b'])
  expect(expressions(every, 'UPDATE', 'check')).toEqual(['a', 'c'])
  expect(expressions(every, 'INSERT', 'check')).toEqual(['a', 'd'])
  expect(expressions(every, 'UPDATE', 'see')).toEqual(['a'])
  expect(expressions([policy(5, { command: 'r', using: 'e' })], 'INSERT', 'read_back')).toEqual([
    'e',
  ])
})

test('a row that is not seen is skipped, a new one that fails its check is refused', () => {
  const see = { part: 'see', passed: true } as const
  const change = { part: 'change', passed: true } as const
  expect(outcomeOf('DELETE', [see, change])).toBe('allowed')
  expect(outcomeOf('DELETE', [{ ...see, passed: false }, change])).toBe('skipped')
  expect(outcomeOf('UPDATE', [see, change, { part: 'check', passed: false }])).toBe('refused')
  expect(outcomeOf('UPDATE', [see, change, { part: 'read_back', passed: false }])).toBe('refused')
  expect(
    outcomeOf('INSERT', [
      { part: 'check', passed: true },
      { part: 'read_back', passed: false },
    ]),
  ).toBe('allowed')
  expect(outcomeOf('SELECT', [{ part: 'see', passed: null }])).toBe('unknown')
  expect(outcomeOf('SELECT', [])).toBe('allowed')
})
