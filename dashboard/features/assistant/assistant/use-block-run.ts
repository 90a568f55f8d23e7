import { useContext, useState } from 'react'
import { messageOf } from '../../../api/client.ts'
import { saveResult, type BlockResult } from '../../../modules/assistant/assistant-state.ts'
import { allowChanges, useAllowsChanges } from './allowed-chats.ts'
import { BlockContext } from './block-context.ts'
import { wantsChanges, afterEvent, nothing } from './block-result.ts'
import { useAssistant } from './use-assistant.ts'
import { sqlQuery, type RunEvent } from '#contract/database/sql/sql-query'
import { callLines } from '../../../api/lines.ts'
import { connectionHeaders } from '../../../session/project/database.ts'

type Block = { ref: string; id: string; sql: string }

/**
 * Running one block. It always begins as one that only reads; when Postgres refuses it as a change, its person is asked,
 * statement in view, in every case.
 */
export function useBlockRun({ ref, id, sql }: Block) {
  const { update } = useAssistant()
  const block = useContext(BlockContext)
  const chatId = block?.chatId ?? ''
  const allowed = useAllowsChanges(chatId)
  const [abort, setAbort] = useState<AbortController>()
  const [failure, setFailure] = useState<string>()
  const [asking, setAsking] = useState(false)
  const kept = block?.message.results[id]
  // Another text at the same place is another block.
  const result = kept?.sql === sql ? kept : undefined

  async function run(readOnly: boolean): Promise<void> {
    const going = new AbortController()
    setAbort(going)
    setFailure(undefined)
    try {
      const made = await runBlock(ref, sql, readOnly, going.signal)
      const messageId = block?.message.id ?? ''
      update((state) => saveResult(state, chatId, messageId, id, made))
      if (readOnly && allowed && wantsChanges(made)) setAsking(true)
    } catch (error) {
      setFailure(going.signal.aborted ? 'Cancelled' : messageOf(error))
    }
    setAbort(undefined)
  }

  return {
    result,
    failure,
    allowed,
    asking,
    running: abort !== undefined,
    start: () => run(true),
    cancel: () => abort?.abort(),
    ask: () => setAsking(true),
    stopAsking: () => setAsking(false),
    confirm: () => {
      setAsking(false)
      allowChanges(chatId, true)
      return run(false)
    },
  }
}

/** Runs a block. It only reads unless `readOnly` is false; the server holds it to that. Throws what ends the call itself. */
async function runBlock(
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
