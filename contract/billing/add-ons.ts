import { computeSizeIds, computeSizes, type ComputeSizeId } from '../projects/compute-sizes.ts'
import { microCents, type MicroCents } from './money.ts'

/** Kinds of add-on (facts §1.3, "Add-on variant ids"). A project has at most one variant of each. */
export const addOnTypes = [
  'custom_domain',
  'compute_instance',
  'pitr',
  'ipv4',
  'auth_mfa_phone',
  'auth_mfa_web_authn',
  'log_drain',
] as const
export type AddOnType = (typeof addOnTypes)[number]

/**
 * Where each kind is switched: by the endpoints of add-ons (`billing.setAddOn`), or on a page of its own. What is switched
 * nowhere is offered nowhere; a project that has it keeps it.
 */
export const addOnSwitches: Record<AddOnType, 'here' | 'elsewhere' | 'nowhere'> = {
  custom_domain: 'here',
  compute_instance: 'here',
  pitr: 'here',
  ipv4: 'nowhere',
  auth_mfa_phone: 'elsewhere',
  auth_mfa_web_authn: 'nowhere',
  log_drain: 'elsewhere',
}

/** Text messages as a second factor of a project's users. */
export const phoneFactorVariant = 'auth_mfa_phone_default'

export type AddOnVariant = {
  type: AddOnType
  identifier: string
  name: string
  price_description: string
  price_interval: 'monthly' | 'hourly'
  price_type: 'fixed' | 'usage'
  /** Micro-cents for an hour or a month, as the interval says. */
  rate: MicroCents
  /** For every further project of the organization, where it is less. */
  additionalRate: MicroCents | null
}

const size = (id: ComputeSizeId): AddOnVariant => {
  const { label, pricePerHour, pricePerMonth } = computeSizes[id]
  return {
    type: 'compute_instance',
    identifier: `ci_${id}`,
    name: label,
    price_description: `$${pricePerHour}/hour (~$${pricePerMonth}/month)`,
    price_interval: 'hourly',
    price_type: 'usage',
    rate: microCents(pricePerHour),
    additionalRate: null,
  }
}

const monthly = (
  type: AddOnType,
  identifier: string,
  name: string,
  dollars: number,
  price_description = `$${dollars}/month`,
  additional: number | null = null,
): AddOnVariant => ({
  type,
  identifier,
  name,
  price_description,
  price_interval: 'monthly',
  price_type: 'fixed',
  rate: microCents(dollars),
  additionalRate: additional === null ? null : microCents(additional),
})

/** The price list of requirements §9, "Add-ons (Pro and Team)"; IPv4 is from facts §1.3. */
export const addOnVariants: readonly AddOnVariant[] = [
  ...computeSizeIds.filter((id) => id !== 'nano').map(size),
  monthly('custom_domain', 'cd_default', 'Custom domain', 10),
  monthly('pitr', 'pitr_7', 'Point in time recovery, 7 days', 100),
  monthly('pitr', 'pitr_14', 'Point in time recovery, 14 days', 200),
  monthly('pitr', 'pitr_28', 'Point in time recovery, 28 days', 400),
  monthly('ipv4', 'ipv4_default', 'Dedicated IPv4 address', 4),
  monthly(
    'auth_mfa_phone',
    phoneFactorVariant,
    'Advanced MFA by phone',
    75,
    '$75/month for the first project, then $10/month for each further one',
    10,
  ),
  monthly(
    'log_drain',
    'log_drain_default',
    'Log drain',
    60,
    '$60/month, $0.20 per million events, $0.09 per GB',
  ),
]

/** What log drains cost by use, beside their month (requirements §9). */
export const logDrainRates = {
  perMillionEvents: microCents(0.2),
  perGb: microCents(0.09),
} as const

/** A branch, by the hour (requirements §9). */
export const branchHourlyRate: MicroCents = microCents(0.01344)

export const addOnVariant = (identifier: string): AddOnVariant | undefined =>
  addOnVariants.find((variant) => variant.identifier === identifier)
