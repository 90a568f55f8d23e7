import type { AddOnType } from '#contract/billing/add-ons'
import type { billing } from '#contract/billing/billing'
import type { Output } from '#contract/endpoint'
import { microCents } from '#contract/billing/money'
import { v1 as api } from '#contract/v1/v1'
import { implement } from '#kit/http'

type AddOns = Output<typeof billing.projectAddOns>
type Variant = AddOns['selected_addons'][number]['variant']

const dollar = microCents(1)

const names: Record<AddOnType, string> = {
  custom_domain: 'Custom domain',
  compute_instance: 'Compute',
  pitr: 'Point in time recovery',
  ipv4: 'Dedicated IPv4 address',
  auth_mfa_phone: 'Advanced MFA by phone',
  auth_mfa_web_authn: 'Advanced MFA by WebAuthn',
  log_drain: 'Log drain',
}

const shape = (variant: Variant) => ({
  id: variant.identifier,
  name: variant.name,
  price: {
    description: variant.price_description,
    type: variant.price_type,
    interval: variant.price_interval,
    amount: variant.price / dollar,
  },
})

export const v1AddOnRoutes = (addOnsOf: (ref: string) => Promise<AddOns>) => [
  implement(api.addOns, async ({ ref }) => {
    const { selected_addons: selected, available_addons: available } = await addOnsOf(ref)
    const types = [...new Set(available.map(({ type }) => type))]
    return {
      selected_addons: selected.map(({ type, variant }) => ({ type, variant: shape(variant) })),
      available_addons: types.map((type) => ({
        type,
        name: names[type],
        variants: available.filter((one) => one.type === type).map(({ variant }) => shape(variant)),
      })),
    }
  }),
]
