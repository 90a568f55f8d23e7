import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from '@tanstack/react-router'
import { CircleAlert, FileCode2, Pencil, RotateCw, Sparkles, Table2 } from 'lucide-react'
import type { assistant as api, MessagePart } from '#contract/assistant/assistant'
import type { Output } from '#contract/endpoint'
import type { Chat, Message } from '../../../modules/assistant/assistant-state.ts'
import { NoModel } from '../../../modules/assistant/NoModel.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { ideasAt } from './ideas.ts'
import { BlockContext, useAssistant, type Ask, type Asking } from './use-assistant.ts'
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

type MessageListProps = {
  chat: Chat
  asking: Asking | undefined
  disabledReason: string | undefined
  onEdit: (message: Message) => void
  onRetry: () => void
  onAsk: Ask
}

/** Pixels from the end at which a reader counts as reading along. */
const near = 60

function MessageList({ chat, asking, disabledReason, onEdit, onRetry, onAsk }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    // Who has scrolled up to read is left there.
    if (follows.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [chat.messages, asking])
  const busy = asking?.status === 'asking'
  const last = chat.messages.at(-1)
  // A question whose answer never came, as after a reload.
  const isUnanswered = !asking && last?.role === 'user'
  return (
    <div
      ref={box}
      className="assistant-messages scroll"
      role="log"
      aria-label="Messages"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < near
      }}
    >
      {chat.messages.map((message) => (
        <MessageView
          key={message.id}
          chatId={chat.id}
          message={message}
          writing={busy && asking.messageId === message.id}
          editReason={disabledReason ?? (busy ? 'Wait for the current answer' : undefined)}
          onEdit={() => onEdit(message)}
          onAsk={onAsk}
        />
      ))}
      {busy && (
        <output className="assistant-doing">
          <span className="assistant-pulse" aria-hidden />
          {asking.doing}
        </output>
      )}
      {asking?.status === 'cut' && (
        <p className="t12 muted">The answer was cut off because it was too long.</p>
      )}
      {asking?.status === 'failed' && (
        <Alert
          variant="danger"
          icon={CircleAlert}
          title="No answer"
          action={
            <Button icon={RotateCw} disabledReason={disabledReason} onClick={onRetry}>
              Retry
            </Button>
          }
        >
          {asking.message}
        </Alert>
      )}
      {!busy && asking?.status !== 'failed' && last && (
        <div className="row">
          {isUnanswered && <span className="t12 muted">This has no answer.</span>}
          <Button variant="ghost" icon={RotateCw} disabledReason={disabledReason} onClick={onRetry}>
            {isUnanswered ? 'Ask again' : 'Regenerate'}
          </Button>
        </div>
      )}
    </div>
  )
}

const Markdown = lazy(() => import('./Markdown.tsx').then((m) => ({ default: m.Markdown })))

type MessageViewProps = {
  chatId: string
  message: Message
  /** More of it is to come. */
  writing: boolean
  editReason: string | undefined
  onEdit: () => void
  onAsk: Ask
}

function MessageView({ chatId, message, writing, editReason, onEdit, onAsk }: MessageViewProps) {
  const text = textOf(message)
  if (message.role === 'user')
    return (
      <article className="assistant-said" aria-label="You">
        <Attached parts={message.parts} />
        <p>{text}</p>
        <span className="assistant-tools">
          <IconButton
            icon={Pencil}
            iconSize="s"
            label="Edit and ask again"
            disabledReason={editReason}
            onClick={onEdit}
          />
          <CopyButton text={text} what="message" />
        </span>
      </article>
    )
  return (
    <article className="assistant-answer" aria-label="Assistant" aria-busy={writing || undefined}>
      <BlockContext value={{ chatId, message, writing, onAsk }}>
        <Suspense fallback={<Skeleton width="80%" />}>
          <Markdown text={text} />
        </Suspense>
      </BlockContext>
      {!writing && (
        <span className="assistant-tools">
          <CopyButton text={text} what="answer" />
        </span>
      )}
    </article>
  )
}

function Attached({ parts }: { parts: readonly MessagePart[] }) {
  const chips = parts.flatMap((part) => {
    if (part.type === 'snippet') return [{ icon: FileCode2, name: part.name }]
    return part.type === 'table' ? [{ icon: Table2, name: `${part.schema}.${part.name}` }] : []
  })
  if (chips.length === 0) return null
  return (
    <ul className="assistant-chips" aria-label="Attached">
      {chips.map(({ icon, name }) => (
        <li key={name} className="badge">
          <Icon of={icon} />
          <span className="ell">{name}</span>
        </li>
      ))}
    </ul>
  )
}
