import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { Lint, LintException } from '#contract/observability/advisors'
import type { LintLevel } from '#contract/observability/lint-rule'
import type { LintCategory } from '#contract/observability/lints'
import type { Tone } from '../../../ui/text/Badge.tsx'
import type { IconType } from '../../../ui/Icon.tsx'

/** A finding with what was decided about it; undefined: nothing. */
export type Finding = Lint & { ignored: LintException | undefined }

/** The exception that holds for a finding: the one for itself before the one for its whole rule. */
export function exceptionOf(
  { name, cache_key }: Pick<Lint, 'name' | 'cache_key'>,
  exceptions: readonly LintException[],
): LintException | undefined {
  const ofRule = exceptions.filter(({ lint_name }) => lint_name === name)
  return (
    ofRule.find((exception) => exception.cache_key === cache_key) ??
    ofRule.find((exception) => exception.cache_key === null)
  )
}

export const findingsOf = (
  lints: readonly Lint[],
  exceptions: readonly LintException[],
  category: LintCategory,
): Finding[] =>
  lints
    .filter(({ categories }) => categories.includes(category))
    .map((lint) => ({ ...lint, ignored: exceptionOf(lint, exceptions) }))

/** The findings of one rule: one row of the list. */
export type RuleFindings = { first: Finding; all: readonly Finding[] }

/** One for each rule, in the order in which the rules come. */
export function byRule(findings: readonly Finding[]): RuleFindings[] {
  const rules = new Map<string, { first: Finding; all: Finding[] }>()
  for (const finding of findings) {
    const rule = rules.get(finding.name)
    if (rule) rule.all.push(finding)
    else rules.set(finding.name, { first: finding, all: [finding] })
  }
  return [...rules.values()]
}

/** How many findings of each level are open. */
export function countOf(findings: readonly Finding[]): Record<LintLevel, number> {
  const count = { ERROR: 0, WARN: 0, INFO: 0 }
  for (const { level, ignored } of findings) if (!ignored) count[level] += 1
  return count
}

/** What a finding is about, as people write it: `public.books`. */
export function subjectOf({ metadata }: Pick<Lint, 'metadata'>): string {
  const { schema, name, entity } = metadata
  const parts = [schema, name].filter((part): part is string => typeof part === 'string')
  return parts.join('.') || (typeof entity === 'string' ? entity : '')
}

export function matches(finding: Finding, words: string): boolean {
  const text = `${finding.title} ${finding.detail} ${finding.name}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export const levelWords: Record<
  LintLevel,
  { one: string; many: string; tone: Tone; icon: IconType }
> = {
  ERROR: { one: 'Error', many: 'Errors', tone: 'danger', icon: CircleAlert },
  WARN: { one: 'Warning', many: 'Warnings', tone: 'warning', icon: TriangleAlert },
  INFO: { one: 'Info', many: 'Info', tone: 'info', icon: Info },
}
