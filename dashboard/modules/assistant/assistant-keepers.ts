import { auth } from '../../session/identity/auth.ts'
import { createKeeper, type Keeper } from './assistant-keeper.ts'
import { createAssistantStorage, type AssistantStorage } from './assistant-storage.ts'

const keepers = new Map<string, Promise<Keeper>>()
let storage: { person: string; area: AssistantStorage } | undefined
let following = false

/** The keeper of a project's assistant, read from the browser when it is first asked for. */
export function keeperOf(person: string, ref: string): Promise<Keeper> {
  follow()
  if (storage?.person !== person) {
    forgetAll()
    storage = { person, area: createAssistantStorage(person, localStorage) }
  }
  const known = keepers.get(ref)
  if (known) return known
  const made = createKeeper({ ref, storage: storage.area, onFailure: log })
  keepers.set(ref, made)
  return made
}

// Requirements §8: only logged. Chats then last as long as the page.
const log = (error: unknown) => console.warn('Assistant storage failed', error)

/** Once: stores before the page goes, and lets go of everything when the person signs out. */
function follow(): void {
  if (following) return
  following = true
  addEventListener('pagehide', () => {
    for (const keeper of keepers.values()) void keeper.then((one) => one.flush())
  })
  void auth().then((client) =>
    client.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT') forgetAll()
    }),
  )
}

function forgetAll(): void {
  for (const keeper of keepers.values()) void keeper.then((one) => one.stop())
  keepers.clear()
  storage?.area.close()
  storage = undefined
}
