import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** What somebody has written: a document, and its variables as they typed them. */
export type Draft = { query: string; variables: string }

type ConsoleState = {
  /** By ref of the project. */
  drafts: Readonly<Record<string, Draft>>
  /** By ref, newest first. */
  history: Readonly<Record<string, readonly Draft[]>>
  /** Whether the warning about the secret key was put away. */
  warned: boolean
}

/** Documents that are remembered of a project. */
const longestHistory = 20

export const firstDraft: Draft = {
  query: `# Ctrl+Space shows suggestions, Ctrl+Enter runs it.
query {
  __typename
}
`,
  variables: '',
}

/** Kept in this browser only: documents can hold what their writer would not share. */
export const useConsole = create<ConsoleState>()(
  persist((): ConsoleState => ({ drafts: {}, history: {}, warned: false }), {
    name: 'plinth.graphql',
  }),
)

export const keepDraft = (ref: string, draft: Draft) =>
  useConsole.setState(({ drafts }) => ({ drafts: { ...drafts, [ref]: draft } }))

export const remember = (ref: string, draft: Draft) =>
  useConsole.setState(({ history }) => ({
    history: { ...history, [ref]: withNewest(history[ref] ?? [], draft) },
  }))

export const putWarningAway = () => useConsole.setState({ warned: true })

/** Each document once, the newest first. */
export function withNewest(history: readonly Draft[], draft: Draft): Draft[] {
  const others = history.filter(
    ({ query, variables }) => query !== draft.query || variables !== draft.variables,
  )
  return [draft, ...others].slice(0, longestHistory)
}
