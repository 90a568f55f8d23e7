import type { UsageRange } from '#contract/projects/project-home'

type Choice = { value: UsageRange; label: string }

/** The choices of a range, as they are shown. */
export const rangeChoices: Choice[] = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
]
/** Of what is looked at while it is being tried. */
export const shortRangeChoices: Choice[] = [{ value: '15m', label: '15 min' }, ...rangeChoices]

/** The range that the address asks for; a day unless it names one of these. */
export const rangeOf = (text: string | undefined, choices = rangeChoices): UsageRange =>
  choices.find(({ value }) => value === text)?.value ?? '24h'

export const rangeWords: Record<UsageRange, string> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
}
