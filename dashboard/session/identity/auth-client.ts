import { GoTrueClient } from '@supabase/auth-js'
import { authUrl, storageKey } from './auth.ts'

/** The platform's own auth service: the same code that projects get, for the people of the dashboard. */
export const auth = new GoTrueClient({
  url: authUrl,
  storageKey,
  autoRefreshToken: true,
  persistSession: true,
  // Links in mails come back with the session in the fragment.
  detectSessionInUrl: true,
  flowType: 'implicit',
})
