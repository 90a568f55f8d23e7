import { safeReturnTo } from '../../../session/identity/return-to.ts'

/** Where a sign-in at another place comes back to: the sign-in page, which takes the session and goes on. */
export function landingFor(returnTo: string | undefined): string {
  const landing = new URL('/sign-in', location.origin)
  if (returnTo && safeReturnTo(returnTo) === returnTo)
    landing.searchParams.set('returnTo', returnTo)
  return landing.href
}
