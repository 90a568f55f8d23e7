import { auth } from './auth.ts'
import { consentKey } from '../telemetry/consent.ts'
import { isDraft } from './drafts.ts'
import { usePreferences } from './preferences.ts'
import { loadPreviewFlags } from '../telemetry/preview-flags.ts'

/** What is about this browser and not about the person who leaves: how the dashboard looks, which way one signs in here, that the question about data was answered. */
const kept = ['plinth.theme', 'plinth.last-sign-in', 'plinth.signed-out', consentKey]
/** That a notice was read cannot be undone (requirements §4). */
const isKept = (key: string) => kept.includes(key) || key.startsWith('plinth.notice.')
/** When somebody signed out, for other tabs: theirs ends with it, unlike one whose session expired. */
const leftKey = 'plinth.signed-out'
const leftMs = 10_000

/** Whether a session that is gone was ended by its person, in this tab or another. */
export const hasJustLeft = (): boolean =>
  Date.now() - Number(localStorage.getItem(leftKey) ?? 0) < leftMs

/**
 * Signs out here and forgets everything that was stored for the person (requirements §4). What was read is forgotten when the
 * sign-in page is reached: before that the pages that show it would only read it again.
 */
export async function signOut() {
  localStorage.setItem(leftKey, String(Date.now()))
  // Without an answer from the server the session still ends here; it dies by itself there.
  await (await auth()).signOut({ scope: 'local' })
  usePreferences.setState(usePreferences.getInitialState())
  await forgetStored((key) => !isKept(key))
}

/** The same for who did not ask for it: their session is over, and what they had not saved waits until they are back. */
export async function endSession() {
  await (await auth()).signOut({ scope: 'local' })
  usePreferences.setState(usePreferences.getInitialState())
  await forgetStored((key) => !isKept(key) && !isDraft(key))
}

async function forgetStored(isPersonal: (key: string) => boolean) {
  for (const key of Object.keys(localStorage)) if (isPersonal(key)) localStorage.removeItem(key)
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
