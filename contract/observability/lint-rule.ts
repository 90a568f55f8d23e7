export const lintLevels = ['ERROR', 'WARN', 'INFO'] as const
export type LintLevel = (typeof lintLevels)[number]

/** What is the same for all findings of one rule of the advisors. */
export type LintRule = {
  title: string
  level: LintLevel
  /** What it is and why it hurts, in a sentence or two. */
  description: string
  /** How to fix it. */
  help: string
  /** Where to read more. */
  link: string
}
