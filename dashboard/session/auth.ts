import { GoTrueClient } from '@supabase/auth-js'
import { takeTokenFrom } from '../api/http.ts'

const url = `${location.origin}/auth/v1`

/** What a link from a mail failed of. Read before the auth client cleans the fragment. */
export const linkError = new URLSearchParams(location.search).has('error_description')
  ? // The answer of a sign-in at another place, which its page tells.
    null
  : new URLSearchParams(location.hash.slice(1)).get('error_description')

/** The platform's own auth service: the same code that projects get, for the people of the dashboard. */
export const auth = new GoTrueClient({
  url,
  storageKey: 'plinth.session',
  autoRefreshToken: true,
  persistSession: true,
  // Links in mails come back with the session in the fragment.
  detectSessionInUrl: true,
  flowType: 'implicit',
})

/** The session, refreshed when it is about to expire; null when nobody is signed in. */
export const currentSession = async () => (await auth.getSession()).data.session

/** Whether a second factor was shown in this session. */
export async function hasShownFactor(): Promise<boolean> {
  const { data, error } = await auth.mfa.getAuthenticatorAssuranceLevel()
  if (error) throw error
  return data.currentLevel === 'aal2'
}

/** Whether the signed-in person has a second factor that this session has not shown. */
export async function isHalfSignedIn(): Promise<boolean> {
  const { data, error } = await auth.mfa.getAuthenticatorAssuranceLevel()
  if (error) throw error
  return data.nextLevel === 'aal2' && data.currentLevel !== 'aal2'
}

/**
 * For signing in at another place (PKCE): the way back is a code that only this tab can exchange. Links in mails open in
 * any browser, so the client for everything else can not ask for that.
 */
export const externalAuth = () =>
  new GoTrueClient({
    url,
    storageKey: 'plinth.external',
    storage: sessionStorage,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    flowType: 'pkce',
  })

/** Ends a sign-in at another place: exchanges its code and takes over the session. */
export async function takeExternalSession(code: string): Promise<void> {
  const { data, error } = await externalAuth().exchangeCodeForSession(code)
  if (error) throw error
  sessionStorage.removeItem('plinth.external')
  const taken = await auth.setSession(data.session)
  if (taken.error) throw taken.error
}

takeTokenFrom(async () => (await currentSession())?.access_token)
