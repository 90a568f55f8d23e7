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
  /** US dollars an hour; 0 is included in the plan. */
  pricePerHour: number
}

export const computeSizes = {
  nano: {
    label: 'Nano',
    memoryGb: 0.5,
    cpu: 'Shared CPU',
    directConnections: 30,
    poolerConnections: 200,
    pricePerHour: 0,
  },
  micro: {
    label: 'Micro',
    memoryGb: 0.5,
    cpu: 'Shared CPU',
    directConnections: 30,
    poolerConnections: 200,
    pricePerHour: 0.01344,
  },
  small: {
    label: 'Small',
    memoryGb: 1,
    cpu: '2-core CPU',
    directConnections: 60,
    poolerConnections: 200,
    pricePerHour: 0.0206,
  },
  medium: {
    label: 'Medium',
    memoryGb: 4,
    cpu: '2-core CPU',
    directConnections: 120,
    poolerConnections: 600,
    pricePerHour: 0.0822,
  },
  large: {
    label: 'Large',
    memoryGb: 8,
    cpu: '2-core CPU',
    directConnections: 160,
    poolerConnections: 800,
    pricePerHour: 0.1517,
  },
  xlarge: {
    label: 'XL',
    memoryGb: 16,
    cpu: '4-core CPU',
    directConnections: 240,
    poolerConnections: 1000,
    pricePerHour: 0.2877,
  },
  '2xlarge': {
    label: '2XL',
    memoryGb: 32,
    cpu: '8-core CPU',
    directConnections: 380,
    poolerConnections: 1500,
    pricePerHour: 0.562,
  },
  '4xlarge': {
    label: '4XL',
    memoryGb: 64,
    cpu: '16-core CPU',
    directConnections: 480,
    poolerConnections: 3000,
    pricePerHour: 1.32,
  },
  '8xlarge': {
    label: '8XL',
    memoryGb: 128,
    cpu: '32-core CPU',
    directConnections: 490,
    poolerConnections: 6000,
    pricePerHour: 2.562,
  },
  '12xlarge': {
    label: '12XL',
    memoryGb: 192,
    cpu: '48-core CPU',
    directConnections: 500,
    poolerConnections: 9000,
    pricePerHour: 3.836,
  },
  '16xlarge': {
    label: '16XL',
    memoryGb: 256,
    cpu: '64-core CPU',
    directConnections: 500,
    poolerConnections: 12000,
    pricePerHour: 5.12,
  },
} as const satisfies Record<string, ComputeSize>

export type ComputeSizeId = keyof typeof computeSizes
// Object.keys() forgets the literal keys it just read.
export const computeSizeIds = Object.keys(computeSizes) as [ComputeSizeId, ...ComputeSizeId[]]
