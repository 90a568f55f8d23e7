import { addOnVariant, type AddOnType, type AddOnVariant } from '#contract/billing/add-ons'
import { billing } from '#contract/billing/billing'
import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement, type Caller, type Origin } from '#kit/http'

/** What switches one kind of add-on. `action`: by which the audit log calls it. */
export type AddOnSwitch = {
  set(action: string, by: By, ref: string, variant: string): Promise<void>
  remove(action: string, by: By, ref: string, variant: string): Promise<void>
}
type By = { caller: Caller; origin: Origin }

/** Kinds that are switched by the endpoints of add-ons (`addOnSwitches` of the contract says which). */
export type AddOnRegistry = Partial<Record<AddOnType, AddOnSwitch>>

/** The add-ons of projects, by the platform's own endpoints and by those of the Management API. */
export const addOnsFeature = (registry: AddOnRegistry) => ({
  routes: [
    ...[billing.setAddOn, v1.applyAddOn].map((endpoint) =>
      implement(endpoint, async ({ ref, ...addOn }, caller, origin) => {
        const { addon_type: type, addon_variant: variant } = addOn
        if (known(variant).type !== type)
          throw new ApiError('invalid_input', `There is no add-on ${variant} of this type`)
        await switchOf(registry, type).set(billing.setAddOn.name, { caller, origin }, ref, variant)
        return {}
      }),
    ),
    ...[billing.removeAddOn, v1.removeAddOn].map((endpoint) =>
      implement(endpoint, async ({ ref, addon_variant: variant }, caller, origin) => {
        const { type } = known(variant)
        const by = { caller, origin }
        await switchOf(registry, type).remove(billing.removeAddOn.name, by, ref, variant)
        return {}
      }),
    ),
  ],
})

/** Nano has no price, so it is not in the list; it is a size all the same. */
function known(variant: string): Pick<AddOnVariant, 'type'> {
  if (variant === 'ci_nano') return { type: 'compute_instance' }
  const found = addOnVariant(variant)
  if (!found) throw new ApiError('invalid_input', `There is no add-on ${variant}`)
  return found
}

function switchOf(registry: AddOnRegistry, type: AddOnType): AddOnSwitch {
  const found = registry[type]
  if (found) return found
  throw new ApiError(
    'invalid_input',
    type === 'log_drain'
      ? 'Log drains are added and deleted in the settings of the project'
      : type === 'auth_mfa_phone'
        ? 'This add-on is on while text message codes are, in the multi-factor settings of auth'
        : 'This add-on cannot be changed on this installation',
  )
}
