import { providerFacts, regionsOf, type CloudProvider } from '#contract/projects/cloud-providers'
import { type ComputeSizeId, computeSizeIds, computeSizes } from '#contract/projects/compute-sizes'
import type { CustomContent } from '#contract/operations/custom-content'
import type { PlanId } from '#contract/billing/plans'
import type { AnyRegionCode } from '#contract/projects/regions'
import type { Option } from '../../../ui/controls/options.ts'

const groups: Record<string, string> = {
  us: 'Americas',
  ca: 'Americas',
  sa: 'Americas',
  eu: 'Europe',
  ap: 'Asia and Pacific',
  si: 'Asia and Pacific',
}
const groupOf = (code: string) => groups[code.slice(0, 2)] ?? ''
const groupOrder = ['Americas', 'Europe', 'Asia and Pacific']

/** The regions of a provider. */
export const regionOptions = (provider: CloudProvider): Option<AnyRegionCode>[] =>
  regionsOf(provider)
    .map(({ code, displayName }) => ({
      value: code,
      label: displayName,
      detail: code,
      group: groupOf(code),
    }))
    .toSorted((a, b) => groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group))

/** The providers that the operator offers, by the names that they go by. */
export const providerOptions = ({
  cloud_providers: offered,
  aws_nimbus_label: nimbus,
}: Pick<CustomContent, 'cloud_providers' | 'aws_nimbus_label'>): Option<CloudProvider>[] =>
  offered.map((id) => ({
    value: id,
    label: id === 'AWS_NIMBUS' ? nimbus : providerFacts[id].name,
  }))

/** What a new project starts with: Nano is the free plan's, Micro the smallest of the others. */
export const startSize = (plan: PlanId): ComputeSizeId => (plan === 'free' ? 'nano' : 'micro')

/** The size that was chosen, or the smallest where the plan does not have that one: the organization can be changed later. */
export const sizeFor = (plan: PlanId, chosen: ComputeSizeId): ComputeSizeId =>
  (plan === 'free') === (chosen === 'nano') ? chosen : startSize(plan)

/** The sizes a plan offers; what it does not include is listed with the reason. */
export const computeOptions = (plan: PlanId, priced: boolean): Option<ComputeSizeId>[] =>
  computeSizeIds
    .filter((id) => plan === 'free' || id !== 'nano')
    .map((id) => {
      const { label, memoryGb, cpu, pricePerHour } = computeSizes[id]
      return {
        value: id,
        label,
        detail: `${memoryGb} GB, ${cpu}`,
        ...(priced ? { end: pricePerHour === 0 ? 'included' : `$${pricePerHour} / h` } : {}),
        ...(plan === 'free' && id !== 'nano'
          ? { disabledReason: 'Larger sizes need the Pro plan' }
          : {}),
      }
    })
