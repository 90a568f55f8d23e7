import { GoTrueClient } from '@supabase/auth-js'
import { auth } from './auth.ts'
import { authUrl } from './auth-service.ts'

/**
 * For signing in at another place (PKCE): the way back is a code that only this tab can exchange. Links in mails open in
 * any browser, so the client for everything else cannot ask for that.
 */
export const externalAuth = () =>
  new GoTrueClient({
    url: authUrl,
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
  const taken = await (await auth()).setSession(data.session)
  if (taken.error) throw taken.error
}
