import { snippets } from '#contract/database/snippets'
import { call } from '../../../../api/client.ts'
import { askOnce } from '../../../../session/identity/ask-once.ts'
import { longestName } from '../running/query-values.ts'

/** As much of a query as a name needs. */
const longest = 8000
/** Nobody reads a name for longer than this. */
const patience = 60_000

/** A name for a query from what it says. @throws CallError */
export async function suggestName(ref: string, id: string): Promise<string> {
  const { name, content } = await call(snippets.item, { ref, id })
  const text =
    'Name the attached SQL by what it is for: at most six words, no quotes and no full stop. Answer with the name alone.'
  const answer = await askOnce(
    ref,
    [
      { type: 'snippet', name, sql: content.sql.slice(0, longest) },
      { type: 'text', text },
    ],
    AbortSignal.timeout(patience),
  )
  const [line = ''] = answer.trim().split('\n')
  return line.replaceAll(/^["'`*]+|["'`*.]+$/g, '').slice(0, longestName)
}
