import { useContext, useState } from 'react'
import { messageOf } from '../../../api/client.ts'
import { saveResult } from '../../../modules/assistant/assistant-state.ts'
import { allowChanges, useAllowsChanges } from './allowed-chats.ts'
import { BlockContext } from './block-context.ts'
import { wantsChanges } from './block-result.ts'
import { runBlock } from './block-run.ts'
import { useAssistant } from './use-assistant.ts'

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
