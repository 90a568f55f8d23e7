/**
 * The first minor release of each major version without the holes known when this was written (the security page of the
 * Postgres project, November 2025). Older majors get no fixes at all.
 */
const safeFrom: ReadonlyMap<number, number> = new Map([
  [14, 20],
  [15, 15],
  [16, 11],
  [17, 7],
  [18, 1],
])

/** `version` as in server_version_num: 170010 is 17.10. */
export function isVulnerable(version: number): boolean {
  const major = Math.floor(version / 10_000)
  const safe = safeFrom.get(major)
  if (safe === undefined) return major < Math.min(...safeFrom.keys())
  return version % 10_000 < safe
}
