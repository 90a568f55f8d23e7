import type { BranchDifference } from '#contract/projects/branches'
import type { Migration } from '#contract/database/migrations'

/** Digests of functions by slug. */
export type Digests = Readonly<Record<string, string>>

/** What `from` has and `to` has not, the oldest first. */
export function missingIn(to: readonly Migration[], from: readonly Migration[]): Migration[] {
  const known = new Set(to.map(({ version }) => version))
  return from
    .filter(({ version }) => !known.has(version))
    .toSorted((a, b) => compareVersions(a.version, b.version))
}

const textOf = ({ statements }: Migration) =>
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

/** Functions that a side has otherwise than they were, or that are new there. */
const changedSince = (base: Digests, now: Digests): string[] =>
  Object.keys(now).filter((slug) => now[slug] !== base[slug])

/** Functions that go from the branch to main: what was changed here, and is not the same there. */
export const functionsToMerge = (branch: Digests, main: Digests, base: Digests): string[] =>
  changedSince(base, branch).filter((slug) => main[slug] !== branch[slug])

/** Functions that were changed on both sides, each in its own way. */
export function conflictsOf(branch: Digests, main: Digests, base: Digests): string[] {
  const there = new Set(changedSince(base, main))
  return functionsToMerge(branch, main, base).filter((slug) => there.has(slug))
}

/** Functions that a branch takes over from main: what was changed there and not here. */
export function functionsToPull(branch: Digests, main: Digests, base: Digests): string[] {
  const own = new Set(changedSince(base, branch))
  return changedSince(base, main).filter((slug) => !own.has(slug) && main[slug] !== branch[slug])
}

export function differenceOf(
  sides: { branch: Migration[]; main: Migration[] },
  functions: { branch: Digests; main: Digests; base: Digests },
): Omit<BranchDifference, 'unrecorded'> {
  const { branch, main, base } = functions
  const shown = ({ version, name, statements }: Migration) => ({ version, name, statements })
  const merged = functionsToMerge(branch, main, base).map((slug) => ({
    slug,
    change: main[slug] === undefined ? ('added' as const) : ('changed' as const),
  }))
  const left = Object.keys(base)
    .filter((slug) => branch[slug] === undefined && main[slug] !== undefined)
    .map((slug) => ({ slug, change: 'only_main' as const }))
  return {
    migrations: missingIn(sides.main, sides.branch).map(shown),
    missing: missingIn(sides.branch, sides.main).map(shown),
    functions: [...merged, ...left].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
    clashes: clashesOf(sides.main, sides.branch),
    conflicts: conflictsOf(branch, main, base),
  }
}
