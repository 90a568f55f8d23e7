import { redirect } from '@tanstack/react-router'
import { currentSession, isHalfSignedIn } from './auth.ts'
import { returnToOf, safeReturnTo } from './return-to.ts'

const searchFor = (returnTo: string | undefined) => (returnTo ? { returnTo } : {})

/** For pages that need someone signed in: the others go to the sign-in page, and come back. */
export async function requireSession(href: string) {
  const search = searchFor(returnToOf(href))
  if (!(await currentSession())) throw redirect({ to: '/sign-in', search })
  if (await isHalfSignedIn()) throw redirect({ to: '/sign-in-mfa', search })
}

/** For the sign-in pages: who is signed in has no business there, and who is half signed in one page only. */
export async function leaveIfSignedIn(returnTo: string | undefined) {
  if (!(await currentSession())) return
  if (await isHalfSignedIn()) throw redirect({ to: '/sign-in-mfa', search: searchFor(returnTo) })
  throw redirect({ href: safeReturnTo(returnTo) })
}

/** For the page that asks for the second factor: only who still has to show one stays. */
export async function requireHalfSession(returnTo: string | undefined) {
  if (!(await currentSession())) throw redirect({ to: '/sign-in', search: searchFor(returnTo) })
  if (!(await isHalfSignedIn())) throw redirect({ href: safeReturnTo(returnTo) })
}
