import { usageRanges, type UsageRange } from '#contract/project-home'

const isRange = (text: string): text is UsageRange => Object.hasOwn(usageRanges, text)

/** The range that the address asks for; a day unless it names one there is. */
export const rangeOf = (text: string | undefined): UsageRange =>
  text !== undefined && isRange(text) ? text : '24h'

/** The choices of a range, as they are shown. */
export const rangeChoices: { value: UsageRange; label: string }[] = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
]

export const rangeWords: Record<UsageRange, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
}
