/**
 * How often a property of random requests is tried: as often as its test says, or PLINTH_RUNS times, for the long runs
 * that are made before a release.
 */
export function runsOr(usual: number): number {
  const asked = Number(process.env['PLINTH_RUNS'])
  return Number.isInteger(asked) && asked > 0 ? asked : usual
}

/** Milliseconds that so many runs may take. */
export const timeoutOf = (runs: number): number => Math.max(120_000, runs * 150)
