/**
 * Where a project can be placed (requirements §9, facts §7). On one machine every region is this machine; the choice
 * is kept so that a project moves with its preference. `location` is [latitude, longitude]; Paris and São Paulo are
 * the true coordinates, which the facts give as corrections.
 */
export type Region = { code: string; displayName: string; location: readonly [number, number] }

export const regions = [
  {
    code: 'us-west-1',
    displayName: 'West US (North California)',
    location: [37.774929, -122.419418],
  },
  { code: 'us-east-1', displayName: 'East US (North Virginia)', location: [37.926868, -78.024902] },
  { code: 'us-east-2', displayName: 'East US (Ohio)', location: [39.9612, -82.9988] },
  { code: 'ca-central-1', displayName: 'Canada (Central)', location: [56.130367, -106.346771] },
  { code: 'eu-west-1', displayName: 'West EU (Ireland)', location: [53.3498, -6.2603] },
  { code: 'eu-west-2', displayName: 'West Europe (London)', location: [51.507351, -0.127758] },
  { code: 'eu-west-3', displayName: 'West EU (Paris)', location: [48.8566, 2.3522] },
  { code: 'eu-central-1', displayName: 'Central EU (Frankfurt)', location: [50.110924, 8.682127] },
  {
    code: 'eu-central-2',
    displayName: 'Central Europe (Zurich)',
    location: [47.3744489, 8.5410422],
  },
  { code: 'eu-north-1', displayName: 'North EU (Stockholm)', location: [59.3251172, 18.0710935] },
  { code: 'ap-south-1', displayName: 'South Asia (Mumbai)', location: [18.9733536, 72.8281049] },
  {
    code: 'ap-southeast-1',
    displayName: 'Southeast Asia (Singapore)',
    location: [1.357107, 103.8194992],
  },
  { code: 'ap-northeast-1', displayName: 'Northeast Asia (Tokyo)', location: [35.6895, 139.6917] },
  { code: 'ap-northeast-2', displayName: 'Northeast Asia (Seoul)', location: [37.5665, 126.978] },
  { code: 'ap-southeast-2', displayName: 'Oceania (Sydney)', location: [-33.8688, 151.2093] },
  { code: 'sa-east-1', displayName: 'South America (São Paulo)', location: [-23.5505, -46.6333] },
] as const satisfies readonly Region[]

export type RegionCode = (typeof regions)[number]['code']
export const regionCodes = regions.map((region) => region.code)

/** Default region by continent (requirements §9). */
export const defaultRegions = {
  Americas: 'us-east-1',
  Europe: 'eu-central-1',
  APAC: 'ap-southeast-1',
} as const satisfies Record<string, RegionCode>

/** Default where nothing is known of the person (requirements §9). */
export const defaultRegion = {
  production: 'us-east-2',
  other: 'ap-southeast-1',
} as const satisfies Record<string, RegionCode>

/** The second set, of the provider FLY: one region, which is its default too (requirements §9, facts §0). */
export const flyRegions = [
  { code: 'sin', displayName: 'Singapore', location: [1.3521, 103.8198] },
] as const satisfies readonly Region[]

export type AnyRegionCode = RegionCode | (typeof flyRegions)[number]['code']
export const anyRegionCodes: readonly [AnyRegionCode, ...AnyRegionCode[]] = ['sin', ...regionCodes]
