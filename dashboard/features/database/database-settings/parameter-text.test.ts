import { expect, test } from 'vitest'
import type { Parameter } from '#contract/database/database-server'
import { effectOf, parameterText, valueProblem } from './parameter-text.ts'

test.each([
  ['4096', 'kB', '4 MB'],
  ['524288', '8kB', '4 GB'],
  ['4097', 'kB', '4097 kB'],
  ['8000', 'ms', '8 s'],
  ['90000', 'ms', '90 s'],
  ['3600000', 'ms', '1 h'],
  ['0', 'ms', '0'],
  ['-1', 'MB', '-1'],
  ['16', 'MB', '16 MB'],
  ['7MB', 'kB', '7 MB'],
  ['on', null, 'on'],
  ['1.1', null, '1.1'],
])('%s in %s reads %s', (value, unit, text) => {
  expect(parameterText(value, unit)).toBe(text)
})

const parameter = (more: Partial<Parameter>): Parameter => ({
  name: 'x',
  setting: '',
  unit: null,
  vartype: 'string',
  min: null,
  max: null,
  choices: [],
  context: 'user',
  server_value: '',
  role_value: null,
  database_value: null,
  roles: [],
  pending_restart: false,
  may_set: true,
  ...more,
})

test('a value that cannot be one is told before Postgres sees it', () => {
  expect(valueProblem(parameter({ vartype: 'bool' }), 'maybe')).toBe('on or off')
  expect(valueProblem(parameter({ vartype: 'bool' }), 'Off')).toBeUndefined()
  expect(valueProblem(parameter({ vartype: 'enum', choices: ['a', 'b'] }), 'c')).toBe('One of a, b')
  expect(valueProblem(parameter({ vartype: 'integer', unit: '8kB' }), 'ten')).toContain('10kB')
  expect(valueProblem(parameter({ vartype: 'integer', unit: 'kB' }), '7 MB')).toBeUndefined()
  expect(valueProblem(parameter({ vartype: 'real' }), '-0.5')).toBeUndefined()
  expect(valueProblem(parameter({}), "it's; fine")).toBeUndefined()
})

test('when a change counts is read from its context', () => {
  expect(effectOf(parameter({ context: 'postmaster' }))).toContain('restart')
  expect(effectOf(parameter({ context: 'user' }))).toContain('new session')
})
