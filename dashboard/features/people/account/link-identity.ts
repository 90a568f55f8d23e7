import { auth } from '../../../session/identity/auth.ts'
import { authorizeInWindow, type Outcome } from './github-popup.ts'
import { AuthRefusal } from './use-auth-action.ts'

/** Adds a way of signing in, in a window of its own. */
export const linkIdentity = (provider: string): Promise<Outcome> =>
  authorizeInWindow({
    open: () => window.open('', 'plinth-authorization', 'popup,width=640,height=760'),
    addressFor: async (state) => {
      const back = new URL('/authorized', location.origin)
      back.searchParams.set('state', state)
      const { data, error } = await (
        await auth()
      ).linkIdentity({
        // The client's list of names is of its own time; the server says which exist.
        provider: provider as 'github',
        options: {
          redirectTo: back.href,
          skipBrowserRedirect: true,
          queryParams: await challenge(),
        },
      })
      if (error) throw new AuthRefusal(error)
      return data.url
    },
    kept: localStorage,
  })

/**
 * The window comes back with a code that nobody can exchange, in place of a session: this browser has one, and a better one than
 * the new would be (a second factor is not shown again).
 */
async function challenge(): Promise<Record<string, string>> {
  const verifier = crypto.getRandomValues(new Uint8Array(32))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', verifier))
  const text = btoa(String.fromCharCode(...hash))
  return {
    code_challenge: text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    code_challenge_method: 's256',
  }
}
