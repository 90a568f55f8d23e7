import { Kind, parse, print, TokenKind, type DocumentNode } from 'graphql'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** A document that is no GraphQL is refused by the server, with the place; nothing here has to say it a second time. */
function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** The name of the operation that the cursor is in, or else of the first one; undefined where none has one. */
export function operationAt(text: string, offset: number): string | undefined {
  const operations = (parsed(text)?.definitions ?? []).filter(
    (one) => one.kind === Kind.OPERATION_DEFINITION,
  )
  const inside = operations.find(({ loc }) => loc && loc.start <= offset && offset <= loc.end)
  return (inside ?? operations[0])?.name?.value
}

/** What a document is called in a list: the names of its operations, or its first words. */
export function titleOf(text: string): string {
  const names = (parsed(text)?.definitions ?? []).flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION && one.name ? [one.name.value] : [],
  )
  if (names.length > 0) return names.join(', ')
  const words = text.replaceAll(/#.*/g, '').replaceAll(/\s+/g, ' ').trim()
  return words.slice(0, 60) || 'Empty'
}

export type Prettified = { text: string } | { reason: string }

/** The document with even indentation; comments would be lost by it, so one with comments stays as it is. */
export function prettified(text: string): Prettified {
  const document = parsed(text)
  if (!document) return { reason: 'This is no GraphQL yet' }
  let token = document.loc?.startToken
  while (token) {
    if (token.kind === TokenKind.COMMENT) return { reason: 'Comments would be lost' }
    token = token.next ?? undefined
  }
  return { text: `${print(document)}\n` }
}

/** Variables as they were typed; undefined when they are no JSON object. */
export function variablesOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // An object's keys are texts; what stands behind them is the server's to judge.
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

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
