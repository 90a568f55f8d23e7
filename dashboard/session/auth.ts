import { GoTrueClient } from '@supabase/auth-js'
import { takeTokenFrom } from '../api/http.ts'

/** What a link from a mail failed of. Read before the auth client cleans the fragment. */
export const linkError = new URLSearchParams(location.hash.slice(1)).get('error_description')

/** The platform's own auth service: the same code that projects get, for the people of the dashboard. */
export const auth = new GoTrueClient({
  url: `${location.origin}/auth/v1`,
  storageKey: 'plinth.session',
  autoRefreshToken: true,
  persistSession: true,
  // Links in mails come back with the session in the fragment.
  detectSessionInUrl: true,
  flowType: 'implicit',
})

/** The session, refreshed when it is about to expire; null when nobody is signed in. */
export const currentSession = async () => (await auth.getSession()).data.session

takeTokenFrom(async () => (await currentSession())?.access_token)
