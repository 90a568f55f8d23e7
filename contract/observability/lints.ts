import { performanceLints } from './lints-performance.ts'
import { securityLints } from './lints-security.ts'

export const lintCategories = ['SECURITY', 'PERFORMANCE'] as const
export type LintCategory = (typeof lintCategories)[number]

/** What the advisors look for (facts §10). */
export const lintRules = { ...securityLints, ...performanceLints }
export type LintName = keyof typeof lintRules

// The keys of an object literal are its names.
export const lintNames = Object.keys(lintRules) as LintName[]

export const categoryOf = (name: LintName): LintCategory =>
  Object.hasOwn(securityLints, name) ? 'SECURITY' : 'PERFORMANCE'
