import { expect, test } from 'vitest'
import type { Lint } from '#contract/observability/advisors'
import { findingsOf } from './findings.ts'

const lint = (key: string, more: Partial<Lint> = {}): Lint => ({
  name: 'rls_disabled_in_public',
  title: '',
  level: 'ERROR',
  facing: 'EXTERNAL',
  categories: ['SECURITY'],
  description: '',
  detail: '',
  remediation: '',
  metadata: {},
  cache_key: key,
  ...more,
})
const found = [
  lint('a'),
  lint('b'),
  lint('c', { level: 'WARN' }),
  lint('d', { level: 'INFO' }),
  lint('e', { name: 'unused_index', level: 'WARN', categories: ['PERFORMANCE'] }),
]

test('errors and warnings of one category count', () => {
  expect(findingsOf(found, [], 'SECURITY')).toEqual({ errors: 2, warnings: 1 })
  expect(findingsOf(found, [], 'PERFORMANCE')).toEqual({ errors: 0, warnings: 1 })
})

test('what was put aside does not, alone or with its whole rule', () => {
  const one = [{ lint_name: 'rls_disabled_in_public' as const, cache_key: 'a' }]
  expect(findingsOf(found, one, 'SECURITY')).toEqual({ errors: 1, warnings: 1 })
  const rule = [{ lint_name: 'rls_disabled_in_public' as const, cache_key: null }]
  expect(findingsOf(found, rule, 'SECURITY')).toEqual({ errors: 0, warnings: 0 })
  expect(findingsOf(found, rule, 'PERFORMANCE')).toEqual({ errors: 0, warnings: 1 })
})
