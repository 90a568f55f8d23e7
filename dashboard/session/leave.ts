import { queryClient } from '../api/client.ts'
import { auth } from './auth.ts'

/** Signed out in another tab, or the session ended: nothing of the person stays here either. */
export function leaveWhenSignedOut(leave: () => void) {
  let signedIn = false
  auth.onAuthStateChange((event, session) => {
    if (session) signedIn = true
    if (event !== 'SIGNED_OUT' || !signedIn) return
    signedIn = false
    queryClient.clear()
    leave()
  })
}
