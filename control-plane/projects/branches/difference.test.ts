import { expect, test } from 'vitest'
import type { Migration } from '#contract/database/migrations'
import { clashesOf, compareVersions, missingIn } from './difference.ts'

const migration = (version: string, text = `select ${version}`): Migration => ({
  version,
  name: null,
  statements: text === '' ? [] : [text],
  rollback: null,
  created_by: null,
})
const versions = (list: Migration[]) => list.map(({ version }) => version)

test('what is missing comes in the order of numbers, not of text', () => {
  const from = ['10', '9', '20260101000000', '1'].map((version) => migration(version))
  expect(versions(missingIn([migration('1')], from))).toEqual(['9', '10', '20260101000000'])
  expect(['10', '9', '1'].toSorted(compareVersions)).toEqual(['1', '9', '10'])
})

test('the same version with other statements is a clash; blanks and semicolons are none', () => {
  const a = [migration('1', 'select 1;'), migration('2', 'select 2'), migration('3', '')]
  const b = [migration('1', 'select 1 \n'), migration('2', 'select 3'), migration('3', 'select 3')]
  expect(clashesOf(a, b)).toEqual(['2'])
})
