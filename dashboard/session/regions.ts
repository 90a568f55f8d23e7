import { defaultRegions, type RegionCode, regions } from '#contract/regions'

/**
 * The region nearest to a continent, told by the time zone ('Europe/Berlin'): the browser knows it without asking
 * anyone. Africa and the Atlantic go by Europe; what is not known by the Americas.
 */
export function defaultRegion(timeZone: string): RegionCode {
  const area = timeZone.split('/')[0] ?? ''
  if (['Europe', 'Africa', 'Atlantic', 'Arctic'].includes(area)) return defaultRegions.Europe
  if (['Asia', 'Australia', 'Pacific', 'Indian', 'Antarctica'].includes(area))
    return defaultRegions.APAC
  return defaultRegions.Americas
}

/** 'Central EU (Frankfurt)' as 'Frankfurt'; a code that is not known as itself. */
export function placeOf(code: string): string {
  const name = regions.find((region) => region.code === code)?.displayName
  return name ? (/\(([^)]+)\)/.exec(name)?.[1] ?? name) : code
}
