import { queryClient } from '../api/client.ts'
import { auth } from './auth.ts'

/** How the dashboard looks is not about the person who leaves. */
const kept = ['plinth.theme']

/** Signs out here, then forgets everything that was stored or read for the person (requirements §4). */
export async function signOut() {
  // Without an answer from the server the session still ends here; it dies by itself there.
  await auth.signOut({ scope: 'local' })
  clearLocalData()
  queryClient.clear()
}

function clearLocalData() {
  for (const key of Object.keys(localStorage)) if (!kept.includes(key)) localStorage.removeItem(key)
  sessionStorage.clear()
}
