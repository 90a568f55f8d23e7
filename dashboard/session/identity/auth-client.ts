import { GoTrueClient } from '@supabase/auth-js'
import { authUrl, storageKey } from './auth-service.ts'

/** The client of the platform's auth service. */
export const auth = new GoTrueClient({
  url: authUrl,
  storageKey,
  autoRefreshToken: true,
  persistSession: true,
  // Links in mails come back with the session in the fragment.
  detectSessionInUrl: true,
  flowType: 'implicit',
})
