/** Who helps here: the operator of this installation, under its own name. */
export const supportEmail = `support@${location.hostname}`

/** A mail to support about a failure, with what helps to find it. */
export function supportHref(error: Error): string {
  const body = `${error.stack ?? error.message}\n\nPath: ${location.pathname}`
  return `mailto:${supportEmail}?subject=${encodeURIComponent('Problem with the dashboard')}&body=${encodeURIComponent(body)}`
}
