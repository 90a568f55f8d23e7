import type { Backup } from '#contract/projects/backups'
import { computeSizes, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { planLimits } from '#contract/limits'
import {
  formatCents,
  formatRate,
  microCents,
  microPerCent,
  type Cents,
} from '#contract/billing/money'
import type { PlanId } from '#contract/billing/plans'
import { numberText } from '../../../ui/text/number.ts'
import { choiceAt, readMoment, type MomentChoice, type Span, ownZone } from './moment.ts'

/** What a new project is to begin with: a backup, or what there was at a moment. */
export type SourceChoice = {
  from: 'backup' | 'moment'
  backup: number | undefined
  moment: MomentChoice
}

/** The newest backup, unless another was asked for; without one, the latest moment. */
export function startSource(
  backups: readonly Backup[],
  spans: readonly Span[],
  start: number | undefined,
): SourceChoice {
  const latest = spans.at(-1)?.to
  return {
    from: backups.length > 0 ? 'backup' : 'moment',
    backup: start ?? backups[0]?.id,
    moment: choiceAt((latest ?? 0) * 1000, ownZone()),
  }
}

type Source = {
  /** As the endpoint takes it; undefined where there is a problem. */
  point: { cloneBackupId: number } | { recoveryTimeTarget: number } | undefined
  problem: string | undefined
}

export function sourceOf(choice: SourceChoice, spans: readonly Span[]): Source {
  if (choice.from === 'backup')
    return choice.backup === undefined
      ? { point: undefined, problem: 'Choose a backup' }
      : { point: { cloneBackupId: choice.backup }, problem: undefined }
  const { unix, problem } = readMoment(choice.moment, spans)
  return { point: unix === undefined ? undefined : { recoveryTimeTarget: unix }, problem }
}

export type CostLine = { name: string; what: string; price: string; month: Cents }

/** What a project of this size and disk costs its organization in a month, part by part. */
export function costOf(plan: PlanId, size: ComputeSizeId, diskGb: number): CostLine[] {
  // Billed as the smallest of its plan, as it is everywhere.
  const billed = computeSizes[plan !== 'free' && size === 'nano' ? 'micro' : size]
  const free = plan === 'free' || billed.pricePerHour === 0
  return [
    {
      name: 'Compute',
      what: `${billed.label}, ${billed.memoryGb} GB, ${billed.cpu}`,
      price: free ? 'Included' : `${formatRate(microCents(billed.pricePerHour))} an hour`,
      month: free ? 0 : billed.pricePerMonth * 100,
    },
    diskLine(plan, diskGb),
  ]
}

function diskLine(plan: PlanId, diskGb: number): CostLine {
  const { included, price } = planLimits[plan].databaseGb
  const line = { name: 'Disk', what: `${numberText(diskGb, 1)} GB` }
  const above = included === null ? 0 : Math.max(0, diskGb - included)
  if (above === 0 || price === null) return { ...line, price: 'Included', month: 0 }
  return {
    ...line,
    price: `${formatRate(price)} a GB above ${numberText(included ?? 0, 1)} GB`,
    month: Math.round((price * above) / microPerCent),
  }
}

/** All parts together: `$15.00`. */
export const totalText = (lines: readonly CostLine[]): string =>
  formatCents(lines.reduce((sum, { month }) => sum + month, 0))
