import type { LintReport } from '#contract/observability/advisors'
import { categoryOf, lintRules, type LintCategory } from '#contract/observability/lints'

type Props = { skipped: LintReport['skipped']; category: LintCategory }

/** Rules that could not be checked: silence about them would read as a clean result. */
export function Skipped({ skipped, category }: Props) {
  const here = skipped.filter(({ name }) => categoryOf(name) === category)
  if (here.length === 0) return null
  return (
    <details className="page-tail advisor-skipped">
      <summary>
        {here.length === 1 ? 'One rule was not checked' : `${here.length} rules were not checked`}
      </summary>
      <ul>
        {here.map(({ name, reason }) => (
          <li key={name}>
            {lintRules[name].title}
            <span className="muted">: {reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
