import { assistant, type AssistantEvent, type MessagePart } from '#contract/assistant/assistant'
import { CallError } from '../../api/client.ts'
import { callLines } from '../../api/lines.ts'

/**
 * The whole answer to one question outside of any chat.
 * @throws CallError when it is refused, fails or breaks off; what `signal` throws
 */
export async function askOnce(
  ref: string,
  parts: MessagePart[],
  signal: AbortSignal,
): Promise<string> {
  const input = { ref, messages: [{ role: 'user', parts }] }
  let text = ''
  let whole = false
  for await (const event of callLines<AssistantEvent>(assistant.ask, input, { signal })) {
    if (event.type === 'error') throw new CallError(event.message, { code: 0 })
    if (event.type === 'text') text += event.text
    if (event.type === 'done') whole = !event.cut
  }
  if (!whole) throw new CallError('The response was interrupted', { code: 0 })
  return text
}

const fence = /^(`{3,})sql[^\n]*\n([\s\S]*?)^\1[ \t]*$/gim

/** The last block of SQL in an answer, and what is said around it. */
export function sqlIn(answer: string): { sql: string | undefined; words: string } {
  const blocks = [...answer.matchAll(fence)]
  return {
    sql: blocks.at(-1)?.[2]?.trimEnd(),
    words: answer.replaceAll(fence, '').trim(),
  }
}
