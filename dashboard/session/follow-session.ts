import type { GoTrueClient } from '@supabase/auth-js'

type Moves = {
  /** Signed out in another tab, or the session ended. */
  onSignedOut: () => void
  /** A link from a mail signed in to choose a new password. */
  onRecovery: () => void
}

/** Moves the dashboard along with what happens to the session outside of its pages. */
export function followSession(auth: GoTrueClient, { onSignedOut, onRecovery }: Moves) {
  let signedIn = false
  auth.onAuthStateChange((event, session) => {
    if (event === 'PASSWORD_RECOVERY') onRecovery()
    if (event === 'SIGNED_OUT' && signedIn) onSignedOut()
    signedIn = session !== null
  })
}
