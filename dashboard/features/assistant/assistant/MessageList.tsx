import { CircleAlert, RotateCw, FileCode2, Pencil, Table2 } from 'lucide-react'
import { useEffect, useRef, lazy, Suspense } from 'react'
import type { MessagePart } from '#contract/assistant/assistant'
import type { Chat, Message } from '../../../modules/assistant/assistant-state.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { Asking } from './answers.ts'
import { type Ask, BlockContext } from './use-assistant.ts'
import { textOf } from './question.ts'

type Props = {
  chat: Chat
  asking: Asking | undefined
  disabledReason: string | undefined
  onEdit: (message: Message) => void
  onRetry: () => void
  onAsk: Ask
}

/** Pixels from the end at which a reader counts as reading along. */
const near = 60

export function MessageList({ chat, asking, disabledReason, onEdit, onRetry, onAsk }: Props) {
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
