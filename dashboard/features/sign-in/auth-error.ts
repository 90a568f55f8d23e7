/** What the auth service refused, in words for a toast (requirements §8). */
export function authErrorText(message: string, supportEmail: string): string {
  // The service cannot mail an address that GitHub has not verified.
  if (message.includes('Error sending confirmation mail'))
    return `Please verify your email on GitHub first, then reach out to us at ${supportEmail} to log into the dashboard.`
  if (isUnreachable(message))
    return 'Unable to reach the server. Please check your network or try again later.'
  return message
}

/** How the browsers word a request that never arrived. */
const isUnreachable = (message: string) =>
  /^(?:failed to fetch|load failed|networkerror\b.*|fetch failed)$/i.test(message)
