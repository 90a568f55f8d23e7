import type { MessagePart } from '#contract/assistant/assistant'
import { askOnce, sqlIn } from '../../../../session/identity/ask-once.ts'
import type { Picked } from '../editor/sql-box.ts'

/** A text that is longer cannot be sent whole, and is not changed by half. */
export const longestAsked = 30_000

/** What the assistant would make of a text. */
export type Rewrite = { before: string; after: string; words: string }

const rules =
  'Answer with exactly one fenced sql block, which replaces it, and at most two short sentences before the block. Keep what the request does not touch as it is written.'

function partsOf(picked: string, wish: string): MessagePart[] {
  if (!picked.trim()) {
    const text = `Write SQL that does what follows. Answer with exactly one fenced sql block and at most two short sentences before it.\n\n${wish}`
    return [{ type: 'text', text }]
  }
  const text = `Change the attached SQL as follows. ${rules}\n\n${wish}`
  return [
    { type: 'snippet', name: 'SQL', sql: picked },
    { type: 'text', text },
  ]
}

/**
 * Asks for a change of what is picked in a text.
 * @throws CallError when there is no answer, or none with SQL in it
 */
export async function rewrite(
  ref: string,
  { sql, offset, text }: Picked,
  wish: string,
  signal: AbortSignal,
): Promise<Rewrite> {
  const { sql: made, words } = sqlIn(await askOnce(ref, partsOf(sql, wish), signal))
  if (made === undefined) throw new Error(words || 'The answer has no SQL')
  const after = text.slice(0, offset) + made + text.slice(offset + sql.length)
  return { before: text, after, words }
}
