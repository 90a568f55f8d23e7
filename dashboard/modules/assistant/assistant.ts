import { create } from 'zustand'
import { currentSession } from '../../session/identity/auth.ts'
import type { Keeper } from './assistant-keeper.ts'
import type { AssistantState } from './assistant-state.ts'

/** Whether the panel of a project is open, as far as it is known; everything else about it is loaded when it is wanted. */
export const useAssistantPanel = create<{
  open: Record<string, boolean>
  /** The project whose person just asked for it, and wants to type. */
  requested: string | undefined
}>()(() => ({ open: {}, requested: undefined }))

const loading = new Map<string, Promise<Keeper>>()

/** The state of a project's assistant, read from the browser. Rejects when nobody is signed in. */
export function assistantOf(ref: string): Promise<Keeper> {
  const known = loading.get(ref)
  if (known) return known
  const made = load(ref)
  loading.set(ref, made)
  made.catch(() => loading.delete(ref))
  return made
}

async function load(ref: string): Promise<Keeper> {
  const session = await currentSession()
  if (!session) throw new Error('Nobody is signed in')
  const { keeperOf } = await import('./assistant-keepers.ts')
  const keeper = await keeperOf(session.user.id, ref)
  const show = () => {
    const { open } = keeper.get()
    useAssistantPanel.setState((all) =>
      all.open[ref] === open ? all : { open: { ...all.open, [ref]: open } },
    )
  }
  show()
  keeper.subscribe(show)
  // The next person in this tab gets a keeper of their own.
  keeper.onStop(() => {
    loading.delete(ref)
    useAssistantPanel.setState(({ open }) => ({ open: { ...open, [ref]: false } }))
  })
  return keeper
}

type Extras = Partial<
  Pick<AssistantState, 'initialInput' | 'sqlSnippets' | 'suggestions' | 'tables'>
>

/** Opens or closes a project's assistant; `extras` is what its next question starts with. */
export async function setAssistantOpen(
  ref: string,
  open: boolean,
  extras: Extras = {},
): Promise<void> {
  const keeper = await assistantOf(ref)
  useAssistantPanel.setState({ requested: open ? ref : undefined })
  keeper.update((state) => ({ ...state, ...extras, open }))
}
