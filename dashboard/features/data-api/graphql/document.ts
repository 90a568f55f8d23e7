import { Kind, parse, print, TokenKind, type DocumentNode } from 'graphql'

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
