import { sqlQuery, type RunEvent } from '#contract/database/sql/sql-query'
import { callLines } from '../../api/lines.ts'
import { connectionHeaders } from '../../session/project/database.ts'
import type { BlockResult } from './assistant-state.ts'
import { afterEvent, nothing } from './block-result.ts'

/** Runs a block. It only reads unless `readOnly` is false; the server holds it to that. Throws what ends the call itself. */
export async function runBlock(
  ref: string,
  sql: string,
  readOnly: boolean,
  signal: AbortSignal,
): Promise<BlockResult> {
  const input = { ref, id: crypto.randomUUID(), query: sql, read_only: readOnly }
  const headers = await connectionHeaders(ref)
  let result = nothing(sql)
  let ended = false
  for await (const event of callLines<RunEvent>(sqlQuery.run, input, { headers, signal })) {
    result = afterEvent(result, event)
    ended = event.type === 'end'
  }
  if (!ended) throw new Error('The connection was lost')
  return result
}
