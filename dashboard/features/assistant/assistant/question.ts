import {
  keptMessages,
  keptRows,
  longestPart,
  type AssistantMessage,
  type MessagePart,
} from '#contract/assistant/assistant'
import type {
  BlockResult,
  Message,
  SqlSnippet,
  TableName,
} from '../../../modules/assistant/assistant-state.ts'

/** Most parts of a message that the server takes. */
const maxParts = 50
const longestName = 40
/** Characters of all messages of a request, well below the bytes that the server takes. */
const longestQuestion = 250_000

/**
 * A chat as it is sent. What a person ran goes along with their next words, because results are theirs and not the
 * model's; the server shows the model as much of it as the organization opted in to.
 */
export function questionOf(messages: readonly Message[]): AssistantMessage[] {
  const sent: AssistantMessage[] = []
  let results: MessagePart[] = []
  for (const { role, parts, results: ran } of messages.slice(-keptMessages)) {
    sent.push({ role, parts: [...results, ...parts].slice(-maxParts).map(shortened) })
    results = Object.values(ran).map(resultPart)
  }
  return lastFitting(sent)
}

/** The end of a chat that one request can carry. Of the question itself the words are last, so they always fit. */
function lastFitting(messages: readonly AssistantMessage[]): AssistantMessage[] {
  const fitting: AssistantMessage[] = []
  let left = longestQuestion
  for (const message of messages.toReversed()) {
    const parts: MessagePart[] = []
    for (const part of message.parts.toReversed()) {
      left -= JSON.stringify(part).length
      if (left < 0) break
      parts.unshift(part)
    }
    if (left < 0 && fitting.length > 0) break
    fitting.unshift({ ...message, parts })
    if (left < 0) break
  }
  return fitting
}

const resultPart = ({ sql, error, columns, rows }: BlockResult): MessagePart => ({
  type: 'result',
  result: {
    sql,
    ...(error ? { error: `${error.code}: ${error.message}`.slice(0, 4000) } : {}),
    columns: columns.slice(0, 200).map((name) => name.slice(0, 200)),
    rows: rows
      .slice(0, keptRows)
      .map((cells) => cells.slice(0, 200).map((cell) => cell?.slice(0, 500) ?? null)),
  },
})

function shortened(part: MessagePart): MessagePart {
  if (part.type === 'text') return { ...part, text: part.text.slice(0, longestPart) }
  if (part.type === 'snippet') return { ...part, sql: part.sql.slice(0, longestPart) }
  return part
}

/** What a person sends: their words and what they attached. */
export const partsOf = (
  text: string,
  snippets: readonly SqlSnippet[],
  tables: readonly TableName[],
): MessagePart[] => [
  ...snippets.map(({ name, sql }) => ({ type: 'snippet' as const, name: name.slice(0, 200), sql })),
  ...tables.map(({ schema, name }) => ({ type: 'table' as const, schema, name })),
  { type: 'text', text: text.trim() },
]

export const textOf = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')

/** A chat's name from its first question, until a person gives it another. */
export function nameFrom(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? ''
  return line.length <= longestName ? line : `${line.slice(0, longestName - 1).trimEnd()}…`
}
