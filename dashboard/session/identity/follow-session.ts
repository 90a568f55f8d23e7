import type { GoTrueClient } from '@supabase/auth-js'
import { sessionBegan, sessionEnded } from './ended-session.ts'
import { hasJustLeft } from './sign-out.ts'

type Moves = {
  /** Signed out here or in another tab. */
  onSignedOut: () => void
  /** A link from a mail signed in to choose a new password. */
  onRecovery: () => void
}

/** Moves the dashboard along with what happens to the session outside of its pages. */
export function followSession(auth: GoTrueClient, { onSignedOut, onRecovery }: Moves) {
  let signedIn = false
  auth.onAuthStateChange((event, session) => {
    if (event === 'PASSWORD_RECOVERY') onRecovery()
    if (session) sessionBegan(session)
    if (event === 'SIGNED_OUT' && signedIn && (hasJustLeft() || !sessionEnded())) onSignedOut()
    signedIn = session !== null
  })
}
