import { expect, test } from 'vitest'
import type { Lint, LintException } from '#contract/observability/advisors'
import { byRule, countOf, exceptionOf, findingsOf, matches, subjectOf } from './findings.ts'

const lint = (key: string, more: Partial<Lint> = {}): Lint => ({
  name: 'no_primary_key',
  title: 'Table without a primary key',
  level: 'INFO',
  facing: 'EXTERNAL',
  categories: ['PERFORMANCE'],
  description: '',
  detail: `Table public.${key} has no primary key.`,
  remediation: '',
  metadata: { schema: 'public', name: key },
  cache_key: `no_primary_key.${key}`,
  ...more,
})
const exception = (id: string, cache_key: string | null): LintException => ({
  id,
  lint_name: 'no_primary_key',
  cache_key,
  scope: 'project',
  note: '',
  created_by: 'ada@example.com',
  inserted_at: '2026-01-01T00:00:00.000Z',
})

test('a finding is ignored by itself or with its rule, and its own word comes first', () => {
  const [own, rule] = [exception('own', 'no_primary_key.a'), exception('rule', null)]
  expect(exceptionOf(lint('a'), [rule, own])?.id).toBe('own')
  expect(exceptionOf(lint('b'), [rule, own])?.id).toBe('rule')
  expect(exceptionOf(lint('b'), [own])).toBeUndefined()
  expect(exceptionOf(lint('a', { name: 'unused_index' }), [rule])).toBeUndefined()
})

test('only what is open counts, each advisor for itself', () => {
  const lints = [
    lint('a'),
    lint('b'),
    lint('c', { level: 'ERROR', categories: ['SECURITY'], name: 'rls_disabled_in_public' }),
  ]
  const ignored = [exception('own', 'no_primary_key.a')]
  expect(countOf(findingsOf(lints, ignored, 'PERFORMANCE'))).toEqual({ ERROR: 0, WARN: 0, INFO: 1 })
  expect(countOf(findingsOf(lints, ignored, 'SECURITY'))).toEqual({ ERROR: 1, WARN: 0, INFO: 0 })
})

test('found by all words of its texts; named after what it is about', () => {
  const finding = { ...lint('books'), ignored: undefined }
  expect(matches(finding, 'BOOKS primary')).toBe(true)
  expect(matches(finding, 'books index')).toBe(false)
  expect(subjectOf(finding)).toBe('public.books')
  expect(subjectOf({ metadata: { entity: 'Auth' } })).toBe('Auth')
  expect(subjectOf({ metadata: {} })).toBe('')
})

test('repeated findings are one row of their rule', () => {
  const lints = [lint('a'), lint('x', { name: 'unused_index' }), lint('b')]
  const rules = byRule(findingsOf(lints, [], 'PERFORMANCE'))
  expect(rules.map(({ first, all }) => [first.name, all.map((one) => one.cache_key)])).toEqual([
    ['no_primary_key', ['no_primary_key.a', 'no_primary_key.b']],
    ['unused_index', ['no_primary_key.x']],
  ])
})
