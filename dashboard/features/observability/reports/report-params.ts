import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import {
  intervalIds,
  pointsOf,
  reportPoints,
  usualInterval,
  type ReportInterval,
} from '#contract/observability/reports'
import { presetIds, type Range } from '../../../modules/logs/range.ts'
import {
  flag,
  oneOf,
  searchParams,
  texts,
  type Param,
  type SearchOf,
} from '../../../session/search-params.ts'

const moment: Param<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** What a report keeps in its address. */
export const reportParams = searchParams({
  range: oneOf(...presetIds),
  from: moment,
  to: moment,
  interval: oneOf(...intervalIds),
  /** The time before is shown too. */
  compare: flag,
  service: texts,
})
type Read = SearchOf<typeof reportParams>
export type ReportParams = { [Name in keyof Read]?: Read[Name] | undefined }

/** The services that an address names; none: all of them. */
export const servicesOf = (names: readonly string[] = []): MeteredService[] =>
  meteredServices.filter((service) => names.includes(service))

/** Intervals that draw a range neither too coarse to be a line nor too fine to be asked for. */
export function intervalsFor({ from, to }: Range): ReportInterval[] {
  const counts = (id: ReportInterval) => pointsOf(to - from, id)
  return intervalIds.filter((id) => counts(id) <= reportPoints.most && counts(id) > 3)
}

/** The one that was chosen, where it fits the range. */
export const intervalOf = (chosen: ReportInterval | undefined, range: Range): ReportInterval =>
  chosen && intervalsFor(range).includes(chosen) ? chosen : usualInterval(range.to - range.from)

export const intervalNames: Record<ReportInterval, string> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '6h': '6 hours',
  '1d': '1 day',
}
