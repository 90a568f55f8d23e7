import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { defaultRowLimit, defaultTimeoutMs } from '#contract/database/sql/sql-query'

type EditorPreferences = {
  /** Rows a lone SELECT is limited to; null for all. */
  limit: number | null
  /** Milliseconds that a statement may take. */
  timeoutMs: number
  readOnly: boolean
  /** What runs stays in a transaction until it is committed. */
  inTransaction: boolean
  /** Long lines go on below instead of out of sight. */
  wrap: boolean
  /** Height of the editor in per cent of the space that it shares with the results. */
  split: number
}

/** How this person likes the SQL editor, kept in this browser. */
export const useEditorPreferences = create<EditorPreferences>()(
  persist(
    (): EditorPreferences => ({
      limit: defaultRowLimit,
      timeoutMs: defaultTimeoutMs,
      readOnly: false,
      inTransaction: false,
      wrap: false,
      split: 60,
    }),
    {
      name: 'plinth.sql-editor',
    },
  ),
)

export const setEditorPreference = (preference: Partial<EditorPreferences>) =>
  useEditorPreferences.setState(preference)
