import { useState } from 'react'
import type { assistant as api } from '#contract/assistant/assistant'
import type { Output } from '#contract/endpoint'
import type { Chat, Message } from '../../../modules/assistant/assistant-state.ts'
import { NoModel } from '../../../modules/assistant/NoModel.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import type { Ask } from './block-context.ts'
import { EmptyChat } from './EmptyChat.tsx'
import { MessageList } from './MessageList.tsx'
import { PromptBox } from './PromptBox.tsx'
import { partsOf, textOf } from './question.ts'
import { useAssistant } from './use-assistant.ts'

type Props = {
  chat: Chat
  /** Undefined until the server has said it. */
  status: Output<typeof api.status> | undefined
  statusError: Error | null
  onRetryStatus: () => void
  /** Whether questions are answered, once the server has said it. */
  whenKnown: () => Promise<boolean>
  /** Why this person may not ask. */
  denial: string | undefined
}

/** One chat: its messages, and the box for the next one. */
export function ChatView({ chat, status, statusError, onRetryStatus, whenKnown, denial }: Props) {
  const { state, update, answers, asking } = useAssistant()
  const [editing, setEditing] = useState<string>()
  const now = asking(chat.id)
  const offline = status?.configured === false
  // Writing can begin before it is known whether there is a model.
  const closedReason = denial ?? (offline ? 'No model is configured' : undefined)
  const disabledReason =
    closedReason ?? (status ? undefined : 'Checking whether a model is configured')

  const send: Ask = (text, queries = []) => {
    const parts = partsOf(text, [...state.sqlSnippets, ...queries], state.tables)
    const replaces = chat.messages.some(({ id }) => id === editing) ? editing : undefined
    setEditing(undefined)
    void answers.send(chat.id, parts, replaces)
  }
  function edit(message: Message) {
    setEditing(message.id)
    const { parts } = message
    update((before) => ({
      ...before,
      initialInput: textOf(message),
      sqlSnippets: parts.flatMap((part) => (part.type === 'snippet' ? [part] : [])),
      tables: parts.flatMap((part) => (part.type === 'table' ? [part] : [])),
    }))
  }
  function stopEditing() {
    setEditing(undefined)
    update((before) => ({ ...before, initialInput: '', sqlSnippets: [], tables: [] }))
  }

  return (
    <>
      {offline && (
        <div className="assistant-note">
          <NoModel />
        </div>
      )}
      {statusError && !status && (
        <ErrorNote what="The assistant" error={statusError} onRetry={onRetryStatus} />
      )}
      {chat.messages.length === 0 ? (
        <EmptyChat disabledReason={disabledReason} onAsk={send} />
      ) : (
        <MessageList
          chat={chat}
          asking={now}
          disabledReason={disabledReason}
          onEdit={edit}
          onRetry={() => void answers.retry(chat.id)}
          onAsk={send}
        />
      )}
      <PromptBox
        chatId={chat.id}
        models={status?.models ?? []}
        busy={now?.status === 'asking'}
        closedReason={closedReason}
        disabledReason={disabledReason}
        whenKnown={whenKnown}
        editing={editing !== undefined}
        onStopEditing={stopEditing}
        onSend={send}
        onStop={() => answers.stop(chat.id)}
      />
    </>
  )
}
