/**
 * How much of a story of faults is told. `npm test` kills a few times: each story once and each kind of place once.
 * `npm run test:faults` sets PLINTH_FAULTS=all, which means every place and the numbers of a release.
 */
export const allFaults = process.env['PLINTH_FAULTS'] === 'all'

/** So many rounds: `few` in `npm test`, `all` of a release, or the number that PLINTH_FAULTS names. */
export function rounds(few: number, all: number): number {
  const asked = Number(process.env['PLINTH_FAULTS'])
  if (Number.isInteger(asked) && asked > 0) return asked
  return allFaults ? all : few
}

/**
 * Places in which a story is killed: `few` of them in `npm test`, one of each kind (before what was asked for is there, after it,
 * where a job cannot go on), all of a release.
 */
export const places = <const T extends string>(all: readonly T[], few: readonly NoInfer<T>[]) =>
  allFaults ? all : few
