import { reportIdOf } from './telemetry/error-report.ts'

/** Who helps here: the operator of this installation, under its own name. */
export const supportEmail = `support@${location.hostname}`

/** Longer addresses are cut by servers and proxies on the way. */
const longest = 1500

/**
 * The support form about a failure, with what helps to find it: the report's id, what went wrong, and where
 * (requirements §2).
 */
export function supportHref(error: Error): string {
  const message = `${error.stack ?? error.message}`.slice(0, longest)
  const query = new URLSearchParams({
    category: 'dashboard_bug',
    sid: reportIdOf(error),
    subject: 'Problem with the dashboard',
    message: `${message}\n\nPath: ${location.pathname}`,
  })
  return `/support/new?${query}`
}
