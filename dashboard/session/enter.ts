import { redirect } from '@tanstack/react-router'
import { currentSession } from './auth.ts'
import { returnToOf, safeReturnTo } from './return-to.ts'

/** For pages that need someone signed in: the others go to the sign-in page, and come back. */
export async function requireSession(href: string) {
  if (await currentSession()) return
  const returnTo = returnToOf(href)
  throw redirect({ to: '/sign-in', search: returnTo ? { returnTo } : {} })
}

/** For the sign-in pages: who is signed in has no business there. */
export async function leaveIfSignedIn(returnTo: string | undefined) {
  if (await currentSession()) throw redirect({ href: safeReturnTo(returnTo) })
}
