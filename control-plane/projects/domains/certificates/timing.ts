const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Orders of one name within an hour, and of one organization's names within a day. Authorities count failures, and refuse an account that has many. */
export const orderLimits = { perNameAnHour: 4, perOrganizationADay: 50, hourMs, dayMs }
/** How long orders are known. */
export const attemptMemoryMs = 7 * dayMs
/** An order that takes longer has lost whoever began it. */
export const orderMs = 10 * minuteMs

const firstWaitMs = 15 * minuteMs
const longestWaitMs = dayMs
/** An authority may ask for more patience than that, but not for years. */
const longestPatienceMs = 7 * dayMs

/** A certificate is renewed when two thirds of its time are over. */
export const renewAt = ({ notBefore, notAfter }: { notBefore: Date; notAfter: Date }): Date =>
  new Date(notBefore.getTime() + ((notAfter.getTime() - notBefore.getTime()) * 2) / 3)

/** Milliseconds until the next order, after so many failures in a row; `asked`: what the authority asks for. */
export function waitAfter(failures: number, asked = 0): number {
  const own = Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 20), longestWaitMs)
  return Math.max(own, Math.min(asked, longestPatienceMs))
}
