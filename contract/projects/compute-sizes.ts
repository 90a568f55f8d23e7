import { microCents, type MicroCents } from '../billing/money.ts'
import type { PlanId } from '../billing/plans.ts'

/**
 * Compute sizes in rising order (facts §1.3). Where the requirements (§9) give figures for a size of this name, theirs
 * are used: Micro is 0.5 GB with 30 direct connections, Small 1 GB with 60. Nano is what a free project gets.
 */
export type ComputeSize = {
  label: string
  /** Memory in GB. */
  memoryGb: number
  cpu: string
  directConnections: number
  poolerConnections: number
  /** Whether its cores are its own. */
  dedicated: boolean
  /** MB/s of disk, as the requirements print them for Micro and Small. */
  baselineDiskMbs: number
  maxDiskMbs: number
  /** Reads and writes of the disk in a second (facts §1.3). */
  maxDiskOperations: number
  /** US dollars an hour; 0 is included in the plan. */
  pricePerHour: number
  /** What people count with: about 730 hours, rounded as the price list does. */
  pricePerMonth: number
}

export const computeSizes = {
  nano: {
    label: 'Nano',
    memoryGb: 0.5,
    cpu: 'Shared CPU',
    directConnections: 30,
    poolerConnections: 200,
    dedicated: false,
    baselineDiskMbs: 43,
    maxDiskMbs: 2085,
    maxDiskOperations: 11_800,
    pricePerHour: 0,
    pricePerMonth: 0,
  },
  micro: {
    label: 'Micro',
    memoryGb: 0.5,
    cpu: 'Shared CPU',
    directConnections: 30,
    poolerConnections: 200,
    dedicated: false,
    baselineDiskMbs: 43,
    maxDiskMbs: 2085,
    maxDiskOperations: 11_800,
    pricePerHour: 0.01344,
    pricePerMonth: 10,
  },
  small: {
    label: 'Small',
    memoryGb: 1,
    cpu: '2-core CPU',
    directConnections: 60,
    poolerConnections: 200,
    dedicated: false,
    baselineDiskMbs: 87,
    maxDiskMbs: 2085,
    maxDiskOperations: 11_800,
    pricePerHour: 0.0206,
    pricePerMonth: 15,
  },
  medium: {
    label: 'Medium',
    memoryGb: 4,
    cpu: '2-core CPU',
    directConnections: 120,
    poolerConnections: 600,
    dedicated: false,
    baselineDiskMbs: 347,
    maxDiskMbs: 2085,
    maxDiskOperations: 11_800,
    pricePerHour: 0.0822,
    pricePerMonth: 60,
  },
  large: {
    label: 'Large',
    memoryGb: 8,
    cpu: '2-core CPU',
    directConnections: 160,
    poolerConnections: 800,
    dedicated: true,
    baselineDiskMbs: 630,
    maxDiskMbs: 4750,
    maxDiskOperations: 20_000,
    pricePerHour: 0.1517,
    pricePerMonth: 110,
  },
  xlarge: {
    label: 'XL',
    memoryGb: 16,
    cpu: '4-core CPU',
    directConnections: 240,
    poolerConnections: 1000,
    dedicated: true,
    baselineDiskMbs: 1188,
    maxDiskMbs: 4750,
    maxDiskOperations: 20_000,
    pricePerHour: 0.2877,
    pricePerMonth: 210,
  },
  '2xlarge': {
    label: '2XL',
    memoryGb: 32,
    cpu: '8-core CPU',
    directConnections: 380,
    poolerConnections: 1500,
    dedicated: true,
    baselineDiskMbs: 2375,
    maxDiskMbs: 4750,
    maxDiskOperations: 20_000,
    pricePerHour: 0.562,
    pricePerMonth: 410,
  },
  '4xlarge': {
    label: '4XL',
    memoryGb: 64,
    cpu: '16-core CPU',
    directConnections: 480,
    poolerConnections: 3000,
    dedicated: true,
    baselineDiskMbs: 4750,
    maxDiskMbs: 4750,
    maxDiskOperations: 20_000,
    pricePerHour: 1.32,
    pricePerMonth: 960,
  },
  '8xlarge': {
    label: '8XL',
    memoryGb: 128,
    cpu: '32-core CPU',
    directConnections: 490,
    poolerConnections: 6000,
    dedicated: true,
    baselineDiskMbs: 9500,
    maxDiskMbs: 9500,
    maxDiskOperations: 40_000,
    pricePerHour: 2.562,
    pricePerMonth: 1870,
  },
  '12xlarge': {
    label: '12XL',
    memoryGb: 192,
    cpu: '48-core CPU',
    directConnections: 500,
    poolerConnections: 9000,
    dedicated: true,
    baselineDiskMbs: 14250,
    maxDiskMbs: 14250,
    maxDiskOperations: 50_000,
    pricePerHour: 3.836,
    pricePerMonth: 2800,
  },
  '16xlarge': {
    label: '16XL',
    memoryGb: 256,
    cpu: '64-core CPU',
    directConnections: 500,
    poolerConnections: 12000,
    dedicated: true,
    baselineDiskMbs: 19000,
    maxDiskMbs: 19000,
    maxDiskOperations: 80_000,
    pricePerHour: 5.12,
    pricePerMonth: 3730,
  },
} as const satisfies Record<string, ComputeSize>

export type ComputeSizeId = keyof typeof computeSizes
// Object.keys() forgets the literal keys it just read.
export const computeSizeIds = Object.keys(computeSizes) as [ComputeSizeId, ...ComputeSizeId[]]

/** The smallest size with that many direct connections, which is what a server knows of its size. */
export const sizeOfConnections = (direct: number): ComputeSizeId =>
  computeSizeIds.find((id) => computeSizes[id].directConnections >= direct) ?? '16xlarge'

/** How many cores it is sold with; a shared one counts as one. */
export const coresOf = ({ cpu }: Pick<ComputeSize, 'cpu'>): number =>
  Number(/^(\d+)-core/.exec(cpu)?.[1] ?? 1)

/** Free projects run on Nano; everything else needs a paid plan, where the smallest is Micro (facts §1.3). */
export const smallestSize = (plan: PlanId): ComputeSizeId => (plan === 'free' ? 'nano' : 'micro')

export const offersSize = (plan: PlanId, size: ComputeSizeId): boolean =>
  (plan === 'free') === (size === 'nano')

/**
 * What an hour costs. A project that was made on Free and lives on in a paid organization keeps Nano until it is
 * resized, and is billed as the smallest size of its plan.
 */
export const hourlyRate = (plan: PlanId, size: ComputeSizeId): MicroCents =>
  plan === 'free' ? 0 : microCents(computeSizes[size === 'nano' ? 'micro' : size].pricePerHour)

/**
 * How many connections the platform's services may have at once to a server with this many direct ones. The server has
 * places for them beside the customer's: neither can take the other's.
 */
export const serviceConnections = (direct: number): number =>
  Math.min(100, Math.max(20, Math.floor(direct / 2)))

/** Beyond what the services share: to look at what runs and stop it, and for the login that reads backups. */
const placesBeside = 8
const ofSuperuser = 3

/** All connections that a server with so many direct ones takes: those, the platform's (`ours`), and its superuser's. */
export function serverConnections(direct: number) {
  const ours = serviceConnections(direct) + placesBeside
  return { all: direct + ours + ofSuperuser, ours, ofSuperuser }
}

/**
 * How the pooler shares the direct connections of a size: half of them are lent to its clients in turn, so that who connects to the
 * database itself finds places too.
 */
export const poolOf = (size: ComputeSizeId) => ({
  size: Math.floor(computeSizes[size].directConnections / 2),
  clients: computeSizes[size].poolerConnections,
})
