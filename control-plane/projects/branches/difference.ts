import type { BranchDifference } from '#contract/projects/branches'
import type { Migration } from '#contract/database/migrations'
import { conflictsIn, toMerge, type Side, type Sides } from './travel/three-sides.ts'

/** Digests of functions by slug. */
export type Digests = Side<string>

/** What `from` has and `to` has not, the oldest first. */
export function missingIn(to: readonly Migration[], from: readonly Migration[]): Migration[] {
  const known = new Set(to.map(({ version }) => version))
  return from
    .filter(({ version }) => !known.has(version))
    .toSorted((a, b) => compareVersions(a.version, b.version))
}

export const textOf = ({ statements }: Migration) =>
  statements.map((one) => one.replace(/[\s;]+$/, '').trim()).join(';')

/**
 * Versions under which both sides have a migration, each its own: made in the same second. Neither can be carried over. One that
 * was recorded without its statements is taken for the other's.
 */
export function clashesOf(a: readonly Migration[], b: readonly Migration[]): string[] {
  const texts = new Map(a.map((one) => [one.version, textOf(one)]))
  return b
    .filter((one) => {
      const [mine, theirs] = [texts.get(one.version), textOf(one)]
      return mine !== undefined && mine !== '' && theirs !== '' && mine !== theirs
    })
    .map(({ version }) => version)
    .toSorted(compareVersions)
}

/** Versions are digits, of any length: 9 comes before 10. */
export const compareVersions = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Of migrations and functions: what a merge would carry over, and what stands in its way. */
export function differenceOf(
  sides: { branch: Migration[]; main: Migration[] },
  functions: Sides<string>,
): Pick<BranchDifference, 'migrations' | 'missing' | 'functions' | 'clashes' | 'conflicts'> {
  const { branch, main, seen } = functions
  const shown = ({ version, name, statements }: Migration) => ({ version, name, statements })
  const merged = toMerge(functions).map((slug) => ({
    slug,
    change: main[slug] === undefined ? ('added' as const) : ('changed' as const),
  }))
  const left = Object.keys(seen)
    .filter((slug) => branch[slug] === undefined && main[slug] !== undefined)
    .map((slug) => ({ slug, change: 'only_main' as const }))
  return {
    migrations: missingIn(sides.main, sides.branch).map(shown),
    missing: missingIn(sides.branch, sides.main).map(shown),
    functions: [...merged, ...left].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
    clashes: clashesOf(sides.main, sides.branch),
    conflicts: conflictsIn(functions),
  }
}
