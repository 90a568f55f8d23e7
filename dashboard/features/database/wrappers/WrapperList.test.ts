import { expect, test } from 'vitest'
import type { Extension } from '#contract/database/database-object-shapes'
import { wrapperState } from './WrapperList.tsx'

const extension: Extension = {
  name: 'postgres_fdw',
  schema: null,
  default_version: '1.1',
  installed_version: null,
  comment: null,
  requires: [],
  required_by: [],
  fixed_schema: null,
  relocatable: true,
  may_enable: false,
  may_change: false,
}
const wrapper = {
  name: 'postgres_fdw',
  owner: 'supabase_admin',
  extension: 'postgres_fdw',
  may_use: true,
}
const kindOf = (...[wrappers, extensions]: [object[], object[]]) =>
  wrapperState(
    'postgres_fdw',
    wrappers.map((one) => ({ ...wrapper, ...one })),
    extensions.map((one) => ({ ...extension, ...one })),
  ).kind

test('a wrapper is ready, can be enabled, is kept for the operator, or is not there', () => {
  expect(kindOf([{}], [])).toBe('ready')
  expect(kindOf([{ may_use: false }], [{}])).toBe('operator')
  expect(kindOf([], [{ may_enable: true }])).toBe('enable')
  expect(kindOf([], [{}])).toBe('operator')
  expect(kindOf([], [])).toBe('absent')
})
