import {
  addOnSwitches,
  addOnVariant,
  addOnVariants,
  type AddOnVariant,
} from '#contract/billing/add-ons'
import { hasFeature } from '#contract/billing/plan-comparison'
import type { Subscription } from '#contract/billing/billing-shapes'
import { offersSize, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { planOfTier, type PlanId } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { BillingStore } from './store.ts'

type AddOn = Subscription['addons'][number]
type Project = { ref: string; name: string; compute_size: ComputeSizeId; variants: string[] }

const show = ({ type, identifier, name, rate, ...variant }: AddOnVariant): AddOn => ({
  type,
  variant: {
    identifier,
    name,
    price: rate,
    price_description: variant.price_description,
    price_interval: variant.price_interval,
    price_type: variant.price_type,
  },
})

const selected = ({ compute_size, variants }: Project): AddOn[] =>
  [`ci_${compute_size}`, ...variants].flatMap((id) => {
    const variant = addOnVariant(id)
    return variant ? [show(variant)] : []
  })

/** Projects with anything to pay for beside their plan. */
export const selectedAddOns = (projects: readonly Project[]): Subscription['project_addons'] =>
  projects
    .map((project) => ({ ref: project.ref, name: project.name, addons: selected(project) }))
    .filter(({ addons }) => addons.length > 0)

const offered = (plan: PlanId): AddOn[] =>
  addOnVariants
    .filter(({ type }) => addOnSwitches[type] !== 'nowhere')
    .filter(({ type, identifier }) =>
      type === 'compute_instance'
        ? // The list was made from the sizes.
          offersSize(plan, identifier.slice('ci_'.length) as ComputeSizeId)
        : type === 'log_drain'
          ? hasFeature(plan, 'security.logDrain')
          : type === 'auth_mfa_phone'
            ? hasFeature(plan, 'auth.advancedMFAPhone')
            : plan !== 'free',
    )
    .map(show)

export function createProjectAddOns(store: BillingStore) {
  return async (ref: string) => {
    const slug = await store.slugOfProject(ref)
    const payer = slug === undefined ? undefined : await store.payer(slug)
    const projects = payer ? await store.projectAddOns(payer.id) : []
    const project = projects.find((one) => one.ref === ref)
    if (!payer || !project) throw new ApiError('project_not_found')
    return {
      selected_addons: selected(project),
      available_addons: offered(planOfTier[payer.tier]),
    }
  }
}
