import { auth } from './auth.ts'

/** How the dashboard looks is not about the person who leaves. */
const kept = ['plinth.theme']

/**
 * Signs out here and forgets everything that was stored for the person (requirements §4). What was read is forgotten when the
 * sign-in page is reached: before that the pages that show it would only read it again.
 */
export async function signOut() {
  // Without an answer from the server the session still ends here; it dies by itself there.
  await auth.signOut({ scope: 'local' })
  for (const key of Object.keys(localStorage)) if (!kept.includes(key)) localStorage.removeItem(key)
  sessionStorage.clear()
}
