import { formatRate } from '#contract/billing/money'
import { lackOf, priceOf, type Compute } from '#contract/projects/compute-resize'
import {
  computeSizeIds,
  computeSizes,
  offersSize,
  type ComputeSizeId,
} from '#contract/projects/compute-sizes'

/** A size as its card shows it. */
export type SizeCard = {
  id: ComputeSizeId
  label: string
  /** `$0.0206 an hour`, or what stands in the place of a price. */
  price: string
  /** `about $15 a month`; undefined where it costs nothing. */
  month: string | undefined
  memory: string
  cpu: string
  connections: string
  isCurrent: boolean
  /** Why it cannot be chosen. */
  reason: string | undefined
}

const memoryText = (gb: number) => `${gb} GB`

/** What a size costs in the plan of this project, or would on Pro where the plan does not include it. */
function priceText(plan: Compute['plan'], id: ComputeSizeId) {
  const payer = plan === 'free' && id !== 'nano' ? 'pro' : plan
  const { hourly, monthly } = priceOf(payer, id)
  if (hourly === 0) return { price: 'Included', month: undefined }
  return {
    price: `${formatRate(hourly)} an hour`,
    month: `about ${formatRate(monthly).replace(/\.00$/, '')} a month`,
  }
}

function reasonOf(
  { plan, recovery, size }: Pick<Compute, 'plan' | 'recovery' | 'size'>,
  id: ComputeSizeId,
): string | undefined {
  if (id === size) return undefined
  if (!offersSize(plan, id)) return plan === 'free' ? 'Needs the Pro plan' : 'Only on the Free plan'
  const isSmaller = computeSizeIds.indexOf(id) < computeSizeIds.indexOf('small')
  return recovery && isSmaller ? 'Point in time recovery needs Small or larger' : undefined
}

const cardOf = (compute: Pick<Compute, 'plan' | 'recovery' | 'size'>, id: ComputeSizeId) => {
  const { label, memoryGb, cpu, directConnections } = computeSizes[id]
  return {
    id,
    label,
    ...priceText(compute.plan, id),
    memory: memoryText(memoryGb),
    cpu,
    connections: String(directConnections),
    isCurrent: id === compute.size,
    reason: reasonOf(compute, id),
  }
}

/**
 * The sizes that this installation can give, the one that the project has among them, and in words which it cannot. Nano is shown
 * to who has it alone: nobody else can choose it.
 */
export function sizesOf(compute: Compute): { cards: SizeCard[]; missing: string | undefined } {
  const { machine, plan, size } = compute
  const shown = computeSizeIds.filter((id) => id !== 'nano' || plan === 'free' || size === 'nano')
  const lacks = new Map(shown.map((id) => [id, machine ? lackOf(id, machine) : undefined]))
  const cards = shown
    .filter((id) => id === size || lacks.get(id) === undefined)
    .map((id) => cardOf(compute, id))
  const [first] = shown.filter((id) => id !== size && lacks.get(id) !== undefined)
  const missing =
    first && `${computeSizes[first].label} and larger are not available. ${lacks.get(first) ?? ''}.`
  return { cards, missing }
}

/** One line of what a change changes; `before` and `after` are the same where it does not. */
export type Difference = { name: string; before: string; after: string }

export function differencesOf(before: SizeCard, after: SizeCard): Difference[] {
  const line = (name: string, of: (card: SizeCard) => string) => ({
    name,
    before: of(before),
    after: of(after),
  })
  return [
    line('Size', ({ label }) => label),
    line('An hour', ({ price }) => price.replace(' an hour', '')),
    line('A month', ({ month }) => month?.replace('a month', '').trim() ?? '$0'),
    line('Memory', ({ memory }) => memory),
    line('CPU', ({ cpu }) => cpu),
    line('Connections', ({ connections }) => connections),
  ]
}
