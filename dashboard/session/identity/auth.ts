import type { Session } from '@supabase/auth-js'
import { takeTokenFrom } from '../../api/http.ts'
import { storageKey } from './auth-service.ts'
import { assuranceOf, type Assurance, storedSession } from './stored-session.ts'

/** The address brings a session, or says why it brings none; read before the client cleans it. */
const fragment = new URLSearchParams(location.hash.slice(1))
export const arriving = fragment.has('access_token') || fragment.has('error_description')

/** What a link from a mail failed of. */
export const linkError = new URLSearchParams(location.search).has('error_description')
  ? // The answer of a sign-in at another place, which its page tells.
    null
  : fragment.get('error_description')

/**
 * The client of the auth service. It is large, and most pages need only the session that it has left in this browser: it
 * is loaded when the first picture stands, or when it is asked for.
 */
export const auth = async () => (await import('./auth-client.ts')).auth

/** The session, refreshed when it is about to expire; null when nobody is signed in. */
export async function currentSession(): Promise<Session | null> {
  const stored = arriving ? undefined : storedSession(storageKey, Date.now())
  return stored ?? (await (await auth()).getSession()).data.session
}

/** Whether a second factor was shown in this session. */
export const hasShownFactor = async (): Promise<boolean> =>
  (await currentAssurance())?.shown ?? false

/** Whether the signed-in person has a second factor that this session has not shown. */
export async function isHalfSignedIn(): Promise<boolean> {
  const assurance = await currentAssurance()
  return assurance !== undefined && assurance.owned && !assurance.shown
}

async function currentAssurance(): Promise<Assurance | undefined> {
  const session = await currentSession()
  return session ? assuranceOf(session) : undefined
}

takeTokenFrom(async () => (await currentSession())?.access_token)
