const dayMs = 86_400_000

/** When invoices are due and what follows when they are not paid (issue 3 §3; the requirements name no figures). */
export const terms = {
  /** Days from an invoice's date until it is due. */
  dueDays: 7,
  /** Days in which nothing but a banner happens, once an invoice is overdue. */
  graceDays: 14,
  /** Days between the end of those and the restriction. */
  overDays: 7,
} as const

export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * dayMs)

/** Seconds between two looks for periods that have ended and invoices that are overdue. */
export const roundSeconds = 60
