import { defaultRegion, flyRegions, regions, type AnyRegionCode, type Region } from './regions.ts'

export const cloudProviders = ['AWS', 'AWS_K8S', 'AWS_NIMBUS', 'FLY'] as const
export type CloudProvider = (typeof cloudProviders)[number]

/** What an installation is for its operator: the one that people rely on, or one to try things in. */
export const environments = ['production', 'staging', 'preview', 'local'] as const
export type PlatformEnvironment = (typeof environments)[number]

type ProviderFacts = {
  name: string
  regions: readonly (Region & { code: AnyRegionCode })[]
  /** Where nothing is known of the person. */
  defaultRegion: (environment: PlatformEnvironment) => AnyRegionCode
  /** The name of the SSH key that its machines are made with, where it has one. */
  defaultSshKey?: string
}

const aws = {
  regions,
  defaultRegion: (environment: PlatformEnvironment) =>
    environment === 'production' ? defaultRegion.production : defaultRegion.other,
} as const

/**
 * The clouds that a project can be placed at (requirements §3 and §9). On one machine every provider and region is this
 * machine; the choice is kept with the project.
 */
export const providerFacts: Record<CloudProvider, ProviderFacts> = {
  AWS: { ...aws, name: 'AWS', defaultSshKey: 'plinth-app-instance' },
  AWS_K8S: { ...aws, name: 'AWS Revamped' },
  AWS_NIMBUS: { ...aws, name: 'AWS Nimbus' },
  FLY: { name: 'Fly.io', regions: flyRegions, defaultRegion: () => 'sin' },
}

export const regionsOf = (provider: CloudProvider) => providerFacts[provider].regions

export const hasRegion = (provider: CloudProvider, code: string): boolean =>
  regionsOf(provider).some((region) => region.code === code)

/** AWS_K8S in staging and preview, otherwise AWS (requirements §9): as far as the operator offers them. */
export function defaultProvider(
  environment: PlatformEnvironment,
  offered: readonly CloudProvider[],
): CloudProvider {
  const preferred = environment === 'staging' || environment === 'preview' ? 'AWS_K8S' : 'AWS'
  return offered.includes(preferred) ? preferred : (offered[0] ?? 'AWS')
}
