import { usageRanges, type UsageRange } from '#contract/project-home'

const isRange = (text: string): text is UsageRange => Object.hasOwn(usageRanges, text)

/** The range that the address asks for; a day unless it names one there is. */
export const rangeOf = (text: string | undefined): UsageRange =>
  text !== undefined && isRange(text) ? text : '24h'
