import { z } from 'zod'
import { microCents, type MicroCents } from '../billing/money.ts'
import { planIds, type PlanId } from '../billing/plans.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'
import {
  computeSizeIds,
  computeSizes,
  coresOf,
  hourlyRate,
  type ComputeSizeId,
} from './compute-sizes.ts'

/** After a change of the size, minutes until the next one: each ends all connections of the project. */
export const resizeCoolDownMinutes = 10

/** What the machine of the installation has for all servers together. */
export const Machine = z.object({ memory_bytes: z.number(), cores: z.number() })
export type Machine = z.infer<typeof Machine>

const gigabyte = 1024 ** 3
/** Of the memory that a machine is sold with, its own system sees this much. */
const seen = 0.9

/** Why a server of this size would get less than it costs on this machine; undefined where it gets all of it. */
export function lackOf(size: ComputeSizeId, machine: Machine): string | undefined {
  const { memoryGb } = computeSizes[size]
  const cores = coresOf(computeSizes[size])
  if (memoryGb * gigabyte * seen > machine.memory_bytes)
    return `This installation's machine has ${Math.floor((machine.memory_bytes / gigabyte) * 10) / 10} GB of memory`
  if (cores > machine.cores)
    return `This installation's machine has ${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}`
  return undefined
}

/** Whether a server has to start anew to have another size: sizes that differ in price alone need nothing. */
export function needsRestart(from: ComputeSizeId, to: ComputeSizeId): boolean {
  const [before, after] = [computeSizes[from], computeSizes[to]]
  return before.directConnections !== after.directConnections
}

/** What a size costs in a plan. `monthly`: what people count with, rounded as the price list does. */
export function priceOf(
  plan: PlanId,
  size: ComputeSizeId,
): { hourly: MicroCents; monthly: MicroCents } {
  const billed = computeSizes[size === 'nano' ? 'micro' : size]
  return {
    hourly: hourlyRate(plan, size),
    monthly: plan === 'free' ? 0 : microCents(billed.pricePerMonth),
  }
}

export const resizeOutcomes = ['resized', 'kept'] as const

const Size = z.enum(computeSizeIds)
export const Resize = z.object({
  from: Size,
  to: Size,
  ordered_at: Instant,
  /** Null while it goes on. */
  finished_at: Instant.nullable(),
  /** `kept`: the server did not come up with the new size and has the old one. */
  outcome: z.enum(resizeOutcomes).nullable(),
  failure: z.string().nullable(),
  /** Milliseconds for which the server answered nobody. Null: it was not restarted, or nobody could measure it. */
  down_ms: z.number().nullable(),
})
export type Resize = z.infer<typeof Resize>

export const Compute = z.object({
  size: Size,
  plan: z.enum(planIds),
  /** Null where the server is somebody else's: its size cannot be changed here. */
  machine: Machine.nullable(),
  /** Point in time recovery is on, which needs Small or larger. */
  recovery: z.boolean(),
  /** Until then the size cannot be changed again; null: it can be now. */
  cool_down_until: Instant.nullable(),
  last_resize: Resize.nullable(),
})
export type Compute = z.infer<typeof Compute>

/** The size of a project's server. It is changed as an add-on: `billing.setAddOn` with the variant `ci_SIZE`. */
export const compute = {
  get: endpoint('compute.get', 'GET /platform/projects/:ref/compute', {
    needs: inProject('read:Read', 'projects'),
    input: z.object({ ref: ProjectRef }),
    returns: Compute,
  }),
}
