import { create } from 'zustand'
import { persist } from 'zustand/middleware'

type Preferences = {
  /** The rail stays open instead of opening on hover. */
  railPinned: boolean
  /** Ctrl/Cmd+K opens the command menu. */
  commandMenuHotkey: boolean
  /** Ctrl/Cmd+I opens and closes the assistant. */
  assistantHotkey: boolean
  /** The table editor saves each change when it is made, instead of collecting them. */
  saveRowsAtOnce: boolean
}

/** How this person likes the frame, kept in this browser. */
export const usePreferences = create<Preferences>()(
  persist(
    (): Preferences => ({
      railPinned: false,
      commandMenuHotkey: true,
      assistantHotkey: true,
      saveRowsAtOnce: false,
    }),
    {
      name: 'plinth.preferences',
    },
  ),
)

export const setPreference = (preference: Partial<Preferences>) =>
  usePreferences.setState(preference)
