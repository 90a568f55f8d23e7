import { auth } from './auth.ts'
import { usePreferences } from './preferences.ts'
import { loadPreviewFlags } from './preview-flags.ts'

/** What is about this browser and not about the person who leaves: how the dashboard looks, which way one signs in here. */
const kept = ['plinth.theme', 'plinth.last-sign-in']
/** That a notice was read cannot be undone (requirements §4). */
const isKept = (key: string) => kept.includes(key) || key.startsWith('plinth.notice.')

/**
 * Signs out here and forgets everything that was stored for the person (requirements §4). What was read is forgotten when the
 * sign-in page is reached: before that the pages that show it would only read it again.
 */
export async function signOut() {
  // Without an answer from the server the session still ends here; it dies by itself there.
  await (await auth()).signOut({ scope: 'local' })
  usePreferences.setState(usePreferences.getInitialState())
  for (const key of Object.keys(localStorage)) if (!isKept(key)) localStorage.removeItem(key)
  sessionStorage.clear()
  loadPreviewFlags()
  const databases = await indexedDB.databases()
  await Promise.all(databases.flatMap(({ name }) => (name ? [forgetDatabase(name)] : [])))
}

/** Another tab that still has it open closes it when it hears of this; the browser deletes it then. */
function forgetDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name)
    for (const event of ['success', 'error', 'blocked'])
      request.addEventListener(event, () => resolve(), { once: true })
  })
}
