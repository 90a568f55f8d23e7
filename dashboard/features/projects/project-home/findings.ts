import type { Lint, LintException } from '#contract/observability/advisors'

type Exception = Pick<LintException, 'lint_name' | 'cache_key'>

/** How many findings of a category count: errors and warnings that nobody put aside, alone or with their whole rule. */
export function findingsOf(
  lints: readonly Lint[],
  exceptions: readonly Exception[],
  category: Lint['categories'][number],
): { errors: number; warnings: number } {
  const open = lints.filter(
    (lint) =>
      lint.categories.includes(category) &&
      !exceptions.some(
        ({ lint_name, cache_key }) =>
          lint_name === lint.name && (cache_key === null || cache_key === lint.cache_key),
      ),
  )
  return {
    errors: open.filter(({ level }) => level === 'ERROR').length,
    warnings: open.filter(({ level }) => level === 'WARN').length,
  }
}
