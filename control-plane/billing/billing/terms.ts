const dayMs = 86_400_000

/** When invoices are due and what follows when they are not paid (issue 3 §3; the requirements name no figures). */
export const terms = {
  /** Days from an invoice's date until it is due. */
  dueDays: 7,
} as const

/** Days that the stages of a restriction last. */
export type StageTerms = {
  /** In which nothing but a banner happens. */
  graceDays: number
  /** Between the end of those and the restriction. */
  overDays: number
  /** There is one grace period in so many days; 0: always. */
  graceEveryDays: number
}
/** By cause. The requirements name no figures. */
export const stageTerms: Record<'overdue' | 'quota', StageTerms> = {
  overdue: { graceDays: 14, overDays: 7, graceEveryDays: 0 },
  // A grace period that is had again with every cycle would be no bound.
  quota: { graceDays: 7, overDays: 3, graceEveryDays: 60 },
}

export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * dayMs)

/** Seconds between two looks for periods that have ended and invoices that are overdue. */
export const roundSeconds = 60
