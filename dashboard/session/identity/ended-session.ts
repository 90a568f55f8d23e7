import type { Session, GoTrueClient } from '@supabase/auth-js'
import { create } from 'zustand'
import { CallError, queryClient } from '../../api/client.ts'
import { storageKey } from './auth-service.ts'
import { storedSession } from './stored-session.ts'
import { hasJustLeft } from './sign-out.ts'

/** The id of the person whose session has ended while pages of theirs stand on the screen. */
export const useEndedSession = create<{ of: string | undefined }>()(() => ({ of: undefined }))

/** Who was signed in last, as this tab knows. */
let known: string | undefined

/** For whoever learns of a session. The same person again: the pages read anew what they show, and stay. */
function sessionBegan({ user }: Session): void {
  known = user.id
  const { of } = useEndedSession.getState()
  if (of === undefined) return
  useEndedSession.setState({ of: undefined })
  // What is on the screen is not for another person.
  if (of === user.id) void queryClient.invalidateQueries()
  else location.assign('/')
}

/** Keeps what is on the screen, and offers to sign in. False: nobody was signed in, so nothing has ended. */
function sessionEnded(): boolean {
  known = storedSession(storageKey, Date.now())?.user.id ?? known
  if (known !== undefined) useEndedSession.setState({ of: known })
  return known !== undefined
}

/** For the sign-in page: nothing of that person is on the screen any more, and whoever comes next is welcome. */
export function leaveEndedSession(): void {
  known = undefined
  useEndedSession.setState({ of: undefined })
}

/** A server that does not know the session any more answers every request so, whoever asks. */
export function followEndedSession(): void {
  const look = (error: unknown) => {
    if (error instanceof CallError && error.code === 401) sessionEnded()
  }
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error)
  })
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error)
  })
}

/** Forgets the session that is none any more, so that the sign-in page asks. What was not saved stays. */
export const forgetEndedSession = (): void => localStorage.removeItem(storageKey)

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
