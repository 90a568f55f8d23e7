import { expect, test } from 'vitest'
import type { Extension } from '#contract/database/database-object-shapes'
import { integrationState } from './integration-state.ts'

const extension = (name: string, installed: boolean, mayEnable = true) =>
  // What else is known of an extension does not matter here.
  ({
    name,
    installed_version: installed ? '1.0' : null,
    may_enable: mayEnable,
  }) as Extension

test.each([
  ['always', [], []],
  ['absent', ['a'], []],
  ['absent', ['a', 'b'], [extension('a', true)]],
  ['installed', ['a', 'b'], [extension('a', true), extension('b', true, false)]],
  ['available', ['a', 'b'], [extension('a', true), extension('b', false)]],
  ['operator', ['a', 'b'], [extension('a', false), extension('b', false, false)]],
])('%s', (state, extensions, offered) => {
  expect(integrationState({ extensions }, offered)).toBe(state)
})
