import {
  providerFacts,
  type CloudProvider,
  type PlatformEnvironment,
} from '#contract/projects/cloud-providers'
import { defaultRegions, flyRegions, regions, type AnyRegionCode } from '#contract/projects/regions'

const areas: Record<string, AnyRegionCode> = {
  America: defaultRegions.Americas,
  US: defaultRegions.Americas,
  Canada: defaultRegions.Americas,
  Europe: defaultRegions.Europe,
  Africa: defaultRegions.Europe,
  Atlantic: defaultRegions.Europe,
  Arctic: defaultRegions.Europe,
  Asia: defaultRegions.APAC,
  Australia: defaultRegions.APAC,
  Pacific: defaultRegions.APAC,
  Indian: defaultRegions.APAC,
  Antarctica: defaultRegions.APAC,
}

/**
 * The region nearest to a continent, told by the time zone ('Europe/Berlin'): the browser knows it without asking
 * anyone. Africa and the Atlantic go by Europe. Where nothing is known, the provider's default (requirements §9).
 */
export function startRegion(
  timeZone: string,
  provider: CloudProvider,
  environment: PlatformEnvironment,
): AnyRegionCode {
  const near = areas[timeZone.split('/')[0] ?? '']
  const facts = providerFacts[provider]
  return near && facts.regions.some(({ code }) => code === near)
    ? near
    : facts.defaultRegion(environment)
}

/** 'Central EU (Frankfurt)' as 'Frankfurt'; a code that is not known as itself. */
export function placeOf(code: string): string {
  const name = [...regions, ...flyRegions].find((region) => region.code === code)?.displayName
  return name ? (/\(([^)]+)\)/.exec(name)?.[1] ?? name) : code
}
