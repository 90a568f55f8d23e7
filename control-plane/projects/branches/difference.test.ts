import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Migration } from '#contract/database/migrations'
import {
  clashesOf,
  compareVersions,
  conflictsOf,
  functionsToMerge,
  functionsToPull,
  missingIn,
} from './difference.ts'

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

const digests: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.constantFrom('1', '2', '3'),
)

test('after an update and a merge, both sides have every change; nothing that only one has changed is lost', () => {
  fc.assert(
    fc.property(digests, digests, digests, (base, here, there) => {
      const [branch, main] = [{ ...here }, { ...there }]
      const conflicts = conflictsOf(branch, main, base)
      for (const slug of functionsToPull(branch, main, base)) {
        expect(conflicts).not.toContain(slug)
        branch[slug] = main[slug] ?? ''
      }
      // From here on the branch has seen main.
      const seen = { ...main }
      expect(conflictsOf(branch, main, seen)).toEqual([])
      for (const slug of functionsToMerge(branch, main, seen)) main[slug] = branch[slug] ?? ''
      for (const slug of Object.keys(here))
        if (here[slug] !== base[slug]) expect(main[slug]).toBe(here[slug])
      for (const slug of Object.keys(there))
        if (there[slug] !== base[slug] && !conflicts.includes(slug) && here[slug] === base[slug])
          expect(main[slug]).toBe(there[slug])
    }),
  )
})
