import { useState } from 'react'
import { useLocation } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import type { assistant as api } from '#contract/assistant/assistant'
import type { Output } from '#contract/endpoint'
import type { Chat, Message } from '../../../modules/assistant/assistant-state.ts'
import { NoModel } from '../../../modules/assistant/NoModel.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ideasAt } from './ideas.ts'
import { useAssistant, type Ask } from './use-assistant.ts'
import { MessageList } from './MessageList.tsx'
import { PromptBox } from './PromptBox.tsx'
import { partsOf, textOf } from './question.ts'

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

type EmptyChatProps = { disabledReason: string | undefined; onAsk: (text: string) => void }

/** A chat without a message: what can be asked, as whoever opened it suggests or as it fits the page. */
function EmptyChat({ disabledReason, onAsk }: EmptyChatProps) {
  const { suggestions } = useAssistant().state
  const pathname = useLocation({ select: ({ pathname: at }) => at })
  const shown = suggestions.length > 0 ? suggestions : ideasAt(pathname)
  return (
    <div className="assistant-empty scroll">
      <EmptyState
        icon={Sparkles}
        title="Ask about this project"
        action={
          <ul className="assistant-ideas" aria-label="Suggestions">
            {shown.map((idea) => (
              <li key={idea}>
                <Button disabledReason={disabledReason} onClick={() => onAsk(idea)}>
                  {idea}
                </Button>
              </li>
            ))}
          </ul>
        }
      >
        A model writes the answers, and they can be wrong. SQL runs only when you run it.
      </EmptyState>
    </div>
  )
}
